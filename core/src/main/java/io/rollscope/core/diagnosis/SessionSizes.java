package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;

/**
 * How large sessions are, by step: what they write or what they are given to read. Each is compared
 * with the usual session of its task name.
 */
final class SessionSizes implements Past.Comparison {
  private static final BinomialTest MORE =
      BinomialTest.withDefaults().with(AlternativeHypothesis.GREATER_THAN);

  /** With fewer sessions there is no tail to speak of. */
  private static final int LEAST_SESSIONS = 8;

  /** Nearly all sessions: one in twenty may be larger. */
  private static final double NEARLY_ALL = 0.95;

  /** What more than a fifth of the sessions do is not the tail. */
  private static final double FEW = 0.2;

  /** By chance once in a thousand runs. */
  private static final double CHANCE = 0.001;

  /** Most sessions must count tokens, or calls are counted. */
  private static final double COUNTING = 0.9;

  /**
   * A session.
   *
   * @param times how many times the usual of its task name
   */
  record Size(int session, double amount, double times) {}

  private final RunWork work;
  private final boolean inTokens;
  private final TreeMap<Integer, List<Size>> byStep = new TreeMap<>();
  private double limit;
  private double leastTimes;
  private double leastSize;

  /** What sessions write: tokens, else turns. */
  static SessionSizes written(RunWork work) {
    int sessions = 0;
    int counting = 0;
    double[] tokens = new double[work.sessions().size()];
    double[] turns = new double[tokens.length];
    for (int s = 0; s < tokens.length; s++) {
      SessionWork one = work.sessions().get(s);
      if (one.lane() || one.calls() == 0) {
        continue;
      }
      for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
        if (!work.hasCallInside(i)) {
          tokens[s] += Math.max(0, work.outputTokens(i));
          turns[s]++;
        }
      }
      sessions++;
      counting += tokens[s] > 0 ? 1 : 0;
    }
    boolean inTokens = counting > 0 && counting >= COUNTING * sessions;
    return new SessionSizes(work, inTokens ? tokens : turns, inTokens);
  }

  /** The prompt that sessions begin with; nothing where prompts are not counted. */
  static SessionSizes prompts(RunWork work) {
    double[] tokens = new double[work.sessions().size()];
    for (int s = 0; s < tokens.length; s++) {
      SessionWork one = work.sessions().get(s);
      for (int i = one.firstCall(); i < one.firstCall() + one.calls() && tokens[s] == 0; i++) {
        tokens[s] = one.lane() ? 0 : Math.max(0, work.inputTokens(i));
      }
    }
    return new SessionSizes(work, tokens, true);
  }

  private SessionSizes(RunWork work, double[] amounts, boolean inTokens) {
    this.work = work;
    this.inTokens = inTokens;
    Map<String, Doubles> byName = new HashMap<>();
    for (int s = 0; s < amounts.length; s++) {
      if (amounts[s] > 0) {
        byName.computeIfAbsent(name(s), n -> new Doubles()).add(amounts[s]);
      }
    }
    Map<String, Double> usual = new HashMap<>();
    byName.forEach((name, all) -> usual.put(name, all.median()));
    for (int s = 0; s < amounts.length; s++) {
      int step = amounts[s] > 0 ? work.steps().ofSession(s) : RunSteps.NONE;
      if (step != RunSteps.NONE) {
        byStep
            .computeIfAbsent(step, k -> new ArrayList<>())
            .add(new Size(s, amounts[s], amounts[s] / usual.get(name(s))));
      }
    }
  }

  private String name(int session) {
    String name = work.sessions().get(session).taskName();
    return name == null ? "" : name;
  }

  boolean inTokens() {
    return inTokens;
  }

  int knownSteps() {
    return (int) byStep.keySet().stream().filter(this::isKnown).count();
  }

  int lastKnownStep() {
    return byStep.keySet().stream().filter(this::isKnown).reduce(-1, Math::max);
  }

  int count(TreeSet<Integer> steps) {
    return steps.stream().mapToInt(k -> byStep.get(k).size()).sum();
  }

  @Override
  public boolean isKnown(int step) {
    return byStep.getOrDefault(step, List.of()).size() >= LEAST_SESSIONS;
  }

  @Override
  public boolean isOut(int step, TreeSet<Integer> usual) {
    double most = limit(usual);
    long more = byStep.get(step).stream().filter(one -> one.times() >= most).count();
    return more > 0 && more <= FEW * byStep.get(step).size();
  }

  private double limit(TreeSet<Integer> usual) {
    double[] times =
        usual.stream()
            .flatMap(k -> byStep.get(k).stream())
            .mapToDouble(Size::times)
            .toArray();
    return Math.max(leastSize, leastTimes * Robust.quantile(times, NEARLY_ALL));
  }

  /**
   * The steps in which few sessions are far larger than nearly all of other steps, more of them
   * than chance explains.
   *
   * @param times how far beyond nearly all of the other steps
   * @param size how many times the usual session at least
   */
  TreeSet<Integer> withOutliers(double times, double size) {
    leastTimes = times;
    leastSize = size;
    TreeSet<Integer> out = Past.outOfLine(work.steps(), this);
    if (out.isEmpty()) {
      return out;
    }
    TreeSet<Integer> others = new TreeSet<>(byStep.keySet());
    others.removeAll(out);
    others.removeIf(k -> !isKnown(k));
    limit = limit(others);
    int usual = (int) others.stream().flatMap(k -> byStep.get(k).stream()).filter(this::isBeyond).count();
    int more = outliers(out).size();
    // One more than were seen: that none was seen does not mean that there are none.
    double rate = (usual + 1.0) / (count(others) + 2.0);
    boolean chance = MORE.test(count(out), more, rate).getPValue() >= CHANCE;
    return chance ? new TreeSet<>() : out;
  }

  private boolean isBeyond(Size one) {
    return one.times() >= limit;
  }

  /** The sessions that are far larger, the largest first. */
  List<Size> outliers(TreeSet<Integer> steps) {
    List<Size> all = new ArrayList<>();
    steps.forEach(k -> byStep.get(k).stream().filter(this::isBeyond).forEach(all::add));
    all.sort(Comparator.comparingDouble(one -> -one.times()));
    return all;
  }

  /** The time of a session that goes with its size: that of calls that count tokens, else all. */
  long ownNs(int session) {
    SessionWork one = work.sessions().get(session);
    long own = 0;
    for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
      own += !inTokens || work.outputTokens(i) > 0 ? work.own(i) : 0;
    }
    return own;
  }
}
