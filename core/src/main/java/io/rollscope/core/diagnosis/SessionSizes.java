package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
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

  private record Amount(int session, double amount) {}

  /** The sessions of one step. */
  private static final class Sizes {
    final List<Amount> all = new ArrayList<>();
    final Map<String, Double> medians = new HashMap<>();

    /** Times the median of its name that nearly all of its sessions stay below. */
    double spread;
  }

  private final RunWork work;
  private final boolean inTokens;

  /** Whether sessions of a new task name are measured against those of others. */
  private final boolean acrossNames;

  private final TreeMap<Integer, Sizes> byStep = new TreeMap<>();
  private double leastTimes;
  private double leastSize;

  /** What is usual for those that are not out of line: by task name, of all, and at most. */
  private Map<String, Double> usualOfName;

  private double usualOfAll;
  private double limit;

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
    return new SessionSizes(work, inTokens ? tokens : turns, inTokens, false);
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
    return new SessionSizes(work, tokens, true, true);
  }

  private SessionSizes(RunWork work, double[] amounts, boolean inTokens, boolean acrossNames) {
    this.work = work;
    this.inTokens = inTokens;
    this.acrossNames = acrossNames;
    for (int s = 0; s < amounts.length; s++) {
      int step = amounts[s] > 0 ? work.steps().ofSession(s) : RunSteps.NONE;
      if (step != RunSteps.NONE) {
        byStep.computeIfAbsent(step, k -> new Sizes()).all.add(new Amount(s, amounts[s]));
      }
    }
    byStep.values().forEach(this::measure);
  }

  private void measure(Sizes step) {
    Map<String, Doubles> byName = new HashMap<>();
    for (Amount one : step.all) {
      byName.computeIfAbsent(name(one.session()), n -> new Doubles()).add(one.amount());
    }
    byName.forEach((name, all) -> step.medians.put(name, all.median()));
    step.spread =
        Robust.quantile(
            step.all.stream()
                .mapToDouble(one -> one.amount() / step.medians.get(name(one.session())))
                .toArray(),
            NEARLY_ALL);
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

  int count(Set<Integer> steps) {
    return steps.stream().mapToInt(k -> byStep.get(k).all.size()).sum();
  }

  @Override
  public boolean isKnown(int step) {
    Sizes sizes = byStep.get(step);
    return sizes != null && sizes.all.size() >= LEAST_SESSIONS;
  }

  @Override
  public boolean isOut(int step, NavigableSet<Integer> usual) {
    compareWith(usual);
    long more = beyond(step).count();
    return more > 0 && more <= FEW * byStep.get(step).all.size();
  }

  /** Each step counts as much as any other, however many sessions it has. */
  private void compareWith(Set<Integer> usual) {
    Map<String, Doubles> medians = new HashMap<>();
    Doubles ofAll = new Doubles();
    Doubles spreads = new Doubles();
    for (int k : usual) {
      spreads.add(byStep.get(k).spread);
      byStep
          .get(k)
          .medians
          .forEach(
              (name, median) -> {
                medians.computeIfAbsent(name, n -> new Doubles()).add(median);
                ofAll.add(median);
              });
    }
    usualOfName = new HashMap<>();
    medians.forEach((name, all) -> usualOfName.put(name, all.median()));
    usualOfAll = acrossNames ? ofAll.median() : Double.POSITIVE_INFINITY;
    limit = Math.max(leastSize, leastTimes * spreads.median());
  }

  private Stream<Size> beyond(int step) {
    return byStep.get(step).all.stream()
        .map(
            one -> {
              double usual = usualOfName.getOrDefault(name(one.session()), usualOfAll);
              return new Size(one.session(), one.amount(), one.amount() / usual);
            })
        .filter(one -> one.times() >= limit);
  }

  /**
   * The steps in which few sessions are far larger than nearly all of other steps, more of them
   * than chance explains.
   *
   * @param times how far beyond nearly all of the other steps
   * @param size how many times the usual session at least
   */
  NavigableSet<Integer> withOutliers(double times, double size) {
    leastTimes = times;
    leastSize = size;
    NavigableSet<Integer> out = Past.outOfLine(work.steps(), this);
    if (out.isEmpty()) {
      return out;
    }
    TreeSet<Integer> others = new TreeSet<>(byStep.keySet());
    others.removeAll(out);
    others.removeIf(k -> !isKnown(k));
    compareWith(others);
    int usual = outliers(others).size();
    int more = outliers(out).size();
    // One more than were seen: that none was seen does not mean that there are none.
    double rate = (usual + 1.0) / (count(others) + 2.0);
    boolean chance = MORE.test(count(out), more, rate).getPValue() >= CHANCE;
    return chance ? new TreeSet<>() : out;
  }

  /** The sessions that are far larger, the largest first. */
  List<Size> outliers(Set<Integer> steps) {
    List<Size> all = new ArrayList<>();
    steps.forEach(k -> beyond(k).forEach(all::add));
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
