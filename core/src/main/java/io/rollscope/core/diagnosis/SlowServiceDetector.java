package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.Paces.Stage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Whether a stage is slower for everybody than in other steps of the run: each call against the
 * usual pace of comparable ones there.
 */
final class SlowServiceDetector implements Detector {
  /** What a change of load or of the dataset does to a service; a fault does more. */
  private static final double LEAST_RATIO = 1.5;

  /** A median of fewer calls is one of them. */
  private static final int LEAST_CALLS = 8;

  /** By chance once in a thousand runs, for all stages and steps together. */
  private static final double CHANCE = 0.001;

  /** For everybody: for most of its workers. */
  private static final double MOST = 0.8;

  /** More steps tell no more of how calls spread. */
  private static final int STEPS_COMPARED = 20;

  /** A worker with fewer calls says nothing of itself. */
  private static final int LEAST_CALLS_OF_WORKER = 3;

  /** An engine that writes as many tokens in a second as before is not slower but shared. */
  private static final double SAME_OUTPUT = 0.85;

  @Override
  public void detect(RunWork work, Causes causes) {
    if (work.steps().count() < 2) {
      causes.cannotJudge(
          FindingKind.SLOW_SERVICE, "fewer than two steps: nothing to compare a stage with");
      return;
    }
    for (Stage stage : work.paces().stages()) {
      OneStage one = new OneStage(work, stage, causes);
      NavigableSet<Integer> slow = Past.outOfLine(work.steps(), one);
      if (!slow.isEmpty() && one.isForEverybody(slow) && one.writesLess(slow)) {
        one.report(slow);
      }
    }
  }

  /** One stage: its calls by step and stratum. */
  private static final class OneStage implements Past.Comparison {
    private final RunWork work;
    private final Stage stage;
    private final Causes causes;
    private final TreeMap<Integer, Map<Integer, Doubles>> paces = new TreeMap<>();
    private final int[] size;

    OneStage(RunWork work, Stage stage, Causes causes) {
      this.work = work;
      this.stage = stage;
      this.causes = causes;
      this.size = new int[work.steps().count()];
      for (int i = 0; i < stage.size(); i++) {
        if (isJudged(i)) {
          size[stage.step[i]]++;
          paces
              .computeIfAbsent(stage.step[i], s -> new HashMap<>())
              .computeIfAbsent(stage.stratum[i], s -> new Doubles())
              .add(stage.pace[i]);
        }
      }
    }

    private boolean isJudged(int i) {
      return stage.step[i] != RunSteps.NONE && !causes.isExplained(stage.calls[i]);
    }

    @Override
    public boolean isKnown(int step) {
      return size[step] >= LEAST_CALLS;
    }

    @Override
    public boolean isOut(int step, NavigableSet<Integer> usual) {
      Map<Integer, Double> before = usual(usual);
      Doubles now = ratios(step, before);
      if (now.size() < LEAST_CALLS || now.median() < LEAST_RATIO) {
        return false;
      }
      Doubles then = new Doubles();
      usual.descendingSet().stream()
          .limit(STEPS_COMPARED)
          .forEach(k -> then.addAll(ratios(k, before)));
      int tested = work.paces().stages().size() * work.steps().count();
      return Robust.chanceOfGreater(now.toArray(), then.toArray()) * tested < CHANCE;
    }

    /** By stratum: each step counts as much as any other, however many calls it has. */
    private Map<Integer, Double> usual(NavigableSet<Integer> steps) {
      Map<Integer, Doubles> medians = new HashMap<>();
      for (int k : steps) {
        paces
            .get(k)
            .forEach((s, all) -> medians.computeIfAbsent(s, x -> new Doubles()).add(median(k, s)));
      }
      Map<Integer, Double> usual = new HashMap<>();
      medians.forEach((s, all) -> usual.put(s, all.median()));
      return usual;
    }

    private final Map<Long, Double> known = new HashMap<>();

    private double median(int step, int stratum) {
      return known.computeIfAbsent(
          (long) step * stage.strata + stratum, k -> paces.get(step).get(stratum).median());
    }

    private Doubles ratios(int step, Map<Integer, Double> usual) {
      Doubles ratios = new Doubles();
      paces
          .get(step)
          .forEach(
              (stratum, all) -> {
                Double pace = usual.get(stratum);
                if (pace != null && pace > 0) {
                  Arrays.stream(all.toArray()).forEach(p -> ratios.add(p / pace));
                }
              });
      return ratios;
    }

    private NavigableSet<Integer> others(NavigableSet<Integer> slow) {
      NavigableSet<Integer> others = new TreeSet<>(paces.keySet());
      others.removeAll(slow);
      others.removeIf(k -> !isKnown(k));
      if (others.size() > 1) {
        others.removeIf(work.steps()::isWarmUp);
      }
      return others;
    }

    boolean isForEverybody(NavigableSet<Integer> slow) {
      Map<Integer, Double> usual = usual(others(slow));
      Map<Integer, Doubles> byWorker = new HashMap<>();
      for (int i = 0; i < stage.size(); i++) {
        Double pace = usual.get(stage.stratum[i]);
        if (isJudged(i) && slow.contains(stage.step[i]) && pace != null) {
          byWorker.computeIfAbsent(stage.worker[i], w -> new Doubles()).add(stage.pace[i] / pace);
        }
      }
      byWorker.values().removeIf(all -> all.size() < LEAST_CALLS_OF_WORKER);
      long slower = byWorker.values().stream().filter(all -> all.median() >= LEAST_RATIO).count();
      return slower >= MOST * byWorker.size();
    }

    /** Of a stage that counts tokens: whether it writes less per second of being busy. */
    boolean writesLess(NavigableSet<Integer> slow) {
      if (!stage.perToken) {
        return true;
      }
      return output(slow) < SAME_OUTPUT * output(others(slow));
    }

    private double output(NavigableSet<Integer> steps) {
      Doubles each = new Doubles();
      for (int k : steps) {
        int[] calls =
            IntStream.range(0, stage.size())
                .filter(i -> stage.step[i] == k)
                .map(i -> stage.calls[i])
                .boxed()
                .sorted(Comparator.comparingLong(work::start))
                .mapToInt(i -> i)
                .toArray();
        long busy = 0;
        long until = Long.MIN_VALUE;
        double tokens = 0;
        for (int call : calls) {
          busy += Math.max(0, work.end(call) - Math.max(until, work.start(call)));
          until = Math.max(until, work.end(call));
          tokens += work.outputTokens(call);
        }
        each.add(tokens / busy);
      }
      return each.median();
    }

    void report(NavigableSet<Integer> slow) {
      RunSteps steps = work.steps();
      Map<Integer, Double> usual = usual(others(slow));
      Map<Integer, Double> ratioOf = new HashMap<>();
      Doubles ratios = new Doubles();
      Doubles now = new Doubles();
      Doubles then = new Doubles();
      for (int k : slow) {
        double ratio = ratios(k, usual).median();
        ratioOf.put(k, ratio);
        ratios.add(ratio);
        paces.get(k).values().forEach(now::addAll);
      }
      others(slow).forEach(k -> paces.get(k).values().forEach(then::addAll));
      int last = 0;
      for (int k = 0; k < size.length; k++) {
        last = isKnown(k) ? k : last;
      }
      boolean open = slow.contains(last);
      Cause cause =
          new Cause(
              FindingKind.SLOW_SERVICE,
              new Subject("stage", stage.name),
              stage.name,
              steps.get(slow.first()).fromNs());
      if (!open) {
        cause.until(steps.get(slow.last()).toNs());
      }
      slow.forEach(k -> cause.steps.add(steps.number(k)));
      Replay.Change change = work.replay().change();
      for (int i = 0; i < work.callCount(); i++) {
        boolean own = work.stageNumber(i) == stage.number;
        int at = own && !work.session(i).lane() ? steps.ofCall(i) : RunSteps.NONE;
        if (at != RunSteps.NONE && slow.contains(at) && !causes.isExplained(i)) {
          change.call(i, Math.round(work.own(i) / ratioOf.get(at)));
          cause.explains(i);
        }
      }
      String each = stage.perToken ? " per token" : "";
      cause
          .cost(change.cost())
          .confidence(slow.size() > 1 ? 0.95 : 0.8)
          .sentence(
              "%s %s %s × as long%s as in other steps (%s against %s), in %s.%s"
                  .formatted(
                      stage.name,
                      open ? "takes" : "took",
                      Phrases.ratio(ratios.median()),
                      each,
                      Phrases.seconds(now.median()),
                      Phrases.seconds(then.median()),
                      Phrases.steps(cause.steps),
                      Phrases.cost(cause.cost, slow.size(), open)))
          .advice(
              "Look at the service behind " + stage.name + ": its load, its replicas, its network.")
          .evidence(
              stage.perToken ? "time per token" : "time per call",
              now.median(),
              then.median(),
              stage.unit(),
              stage.name);
      Costs.addIfItMatters(work, causes, cause);
    }
  }
}
