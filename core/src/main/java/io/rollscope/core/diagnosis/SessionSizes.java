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

/**
 * How large sessions are, by step: what they write or what they are given to read. Each is compared
 * with the usual session of its task name.
 */
final class SessionSizes implements Past.Comparison {
  /** With fewer sessions there is no tail to speak of. */
  private static final int LEAST_SESSIONS = 8;

  /**
   * So many standard deviations of the logarithm of the sizes: of sizes that are spread as those of
   * healthy runs are, one is there by chance in one of 300,000 sessions.
   */
  private static final double FAR = 4.5;

  /** Two in one step of 36 sessions are there by chance in one of 30,000 steps. */
  private static final double FAR_FOR_TWO = 3.5;

  /** What one in ten of the other steps has, too, is how the run is. */
  private static final double RARE = 0.1;

  /** More steps tell no more of how sizes spread. */
  private static final int STEPS_COMPARED = 20;

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
  }

  private final RunWork work;
  private final boolean inTokens;

  /** Whether sessions of a new task name are measured against those of others. */
  private final boolean acrossNames;

  private final TreeMap<Integer, Sizes> byStep = new TreeMap<>();
  private double leastSize;
  private double most;

  /** What is usual for those that are not out of line: by task name, of all, and at most. */
  private Map<String, Double> usualOfName;

  private double usualOfAll;
  private double limit;
  private double farLimit;

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
    boolean far = more > 1 || beyond(step).anyMatch(one -> one.times() >= farLimit);
    if (!far || more > most * byStep.get(step).all.size()) {
      return false;
    }
    long compared = latest(usual).count();
    long also =
        latest(usual).filter(k -> beyond(k).anyMatch(one -> one.times() >= farLimit)).count();
    return also <= RARE * compared;
  }

  /** Each step counts as much as any other, however many sessions it has. */
  private void compareWith(NavigableSet<Integer> usual) {
    Map<String, Doubles> medians = new HashMap<>();
    Doubles ofAll = new Doubles();
    for (int k : usual) {
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
    double spread =
        Robust.spread(
            latest(usual)
                .flatMap(k -> sizes(k))
                .mapToDouble(one -> Math.log(one.times()))
                .toArray());
    limit = Math.max(leastSize, Math.exp(FAR_FOR_TWO * spread));
    farLimit = Math.max(leastSize, Math.exp(FAR * spread));
  }

  private static Stream<Integer> latest(NavigableSet<Integer> steps) {
    return steps.descendingSet().stream().limit(STEPS_COMPARED);
  }

  private Stream<Size> beyond(int step) {
    return sizes(step).filter(one -> one.times() >= limit);
  }

  private Stream<Size> sizes(int step) {
    return byStep.get(step).all.stream()
        .map(
            one -> {
              double usual = usualOfName.getOrDefault(name(one.session()), usualOfAll);
              return new Size(one.session(), one.amount(), one.amount() / usual);
            });
  }

  /**
   * The steps in which some sessions are far larger than those of other steps.
   *
   * @param size how many times the usual session at least
   * @param part of the sessions of a step at most
   */
  NavigableSet<Integer> withOutliers(double size, double part) {
    leastSize = size;
    most = part;
    NavigableSet<Integer> out = Past.outOfLine(work.steps(), this);
    NavigableSet<Integer> others = new TreeSet<>(byStep.keySet());
    others.removeAll(out);
    others.removeIf(k -> !isKnown(k));
    compareWith(others);
    return out;
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
