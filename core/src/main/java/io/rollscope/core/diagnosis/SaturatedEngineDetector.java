package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.Paces.Stage;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether calls of a stage wait in the queue of their engines instead of being worked on. */
final class SaturatedEngineDetector implements Detector {
  /** Below a third of its time a call is worked on most of the time, whatever is in the queue. */
  private static final double LEAST_SHARE = 1.0 / 3;

  /** One engine is it if it has twice the share of the others: else it is the load of all. */
  private static final double TIMES_OTHERS = 2;

  /** A share of fewer calls is that of one. */
  private static final int LEAST_CALLS = 8;

  /** Nearly all calls must say how long they waited. */
  private static final double SAYING = 0.9;

  /** Time in the queue and in all. */
  private static final class Times {
    double queued;
    double all;
    int calls;

    void add(long queue, long duration) {
      queued += (double) queue;
      all += (double) duration;
      calls++;
    }

    double share() {
      return all == 0 ? 0 : queued / all;
    }
  }

  @Override
  public void detect(RunWork work, Causes causes) {
    boolean judged = false;
    for (Stage stage : work.paces().stages()) {
      if (says(work, stage)) {
        judged = true;
        judge(work, causes, stage);
      }
    }
    if (!judged) {
      causes.cannotJudge(
          FindingKind.SATURATED_ENGINE, "calls do not say how long they waited in a queue");
    }
  }

  private static boolean says(RunWork work, Stage stage) {
    int saying = 0;
    for (int call : stage.calls) {
      saying += work.queuedNs(call) >= 0 ? 1 : 0;
    }
    return saying >= SAYING * stage.size();
  }

  private static void judge(RunWork work, Causes causes, Stage stage) {
    TreeMap<Integer, Times> bySteps = new TreeMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (isJudged(work, causes, stage, i)) {
        add(bySteps.computeIfAbsent(stage.step[i], k -> new Times()), work, stage.calls[i]);
      }
    }
    bySteps.values().removeIf(times -> times.calls < LEAST_CALLS);
    NavigableSet<Integer> stageSteps = saturated(bySteps);
    Integer worker = worker(work, causes, stage);
    if (worker == null && stageSteps.isEmpty()) {
      return;
    }
    if (worker == null) {
      report(work, causes, stage, null, stageSteps, bySteps.lastKey());
      return;
    }
    TreeMap<Integer, Times> ofWorker = new TreeMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (stage.worker[i] == worker && isJudged(work, causes, stage, i)) {
        add(ofWorker.computeIfAbsent(stage.step[i], k -> new Times()), work, stage.calls[i]);
      }
    }
    report(work, causes, stage, worker, saturated(ofWorker), ofWorker.lastKey());
  }

  private static boolean isJudged(RunWork work, Causes causes, Stage stage, int i) {
    return stage.step[i] != RunSteps.NONE
        && !work.steps().isWarmUp(stage.step[i])
        && !causes.isExplained(stage.calls[i]);
  }

  private static void add(Times times, RunWork work, int call) {
    times.add(Math.max(0, work.queuedNs(call)), work.duration(call));
  }

  private static NavigableSet<Integer> saturated(Map<Integer, Times> bySteps) {
    NavigableSet<Integer> steps = new TreeSet<>();
    bySteps.forEach(
        (step, times) -> {
          if (times.share() >= LEAST_SHARE) {
            steps.add(step);
          }
        });
    return steps;
  }

  /** The only worker whose calls wait, or null. */
  private static Integer worker(RunWork work, Causes causes, Stage stage) {
    Map<Integer, Times> byWorker = new HashMap<>();
    for (int i = 0; i < stage.size(); i++) {
      if (stage.worker[i] >= 0 && isJudged(work, causes, stage, i)) {
        // The worst step of each: it may have been saturated in few of them.
        int step = stage.step[i] * (work.workerCount() + 1) + stage.worker[i];
        add(byWorker.computeIfAbsent(step, w -> new Times()), work, stage.calls[i]);
      }
    }
    Map<Integer, Double> worst = new HashMap<>();
    byWorker.forEach(
        (place, times) -> {
          if (times.calls >= LEAST_CALLS / 2) {
            worst.merge(place % (work.workerCount() + 1), times.share(), Math::max);
          }
        });
    Integer most = null;
    for (Map.Entry<Integer, Double> one : worst.entrySet()) {
      most = most == null || one.getValue() > worst.get(most) ? one.getKey() : most;
    }
    if (most == null || worst.size() < 2 || worst.get(most) < LEAST_SHARE) {
      return null;
    }
    double next = 0;
    for (Map.Entry<Integer, Double> one : worst.entrySet()) {
      next = one.getKey().equals(most) ? next : Math.max(next, one.getValue());
    }
    return worst.get(most) >= TIMES_OTHERS * next ? most : null;
  }

  private static void report(
      RunWork work,
      Causes causes,
      Stage stage,
      Integer worker,
      NavigableSet<Integer> saturated,
      int lastKnown) {
    if (saturated.isEmpty()) {
      return;
    }
    RunSteps steps = work.steps();
    boolean open = saturated.last() == lastKnown;
    String name = worker == null ? stage.name : work.workerName(worker);
    Cause cause =
        new Cause(
            FindingKind.SATURATED_ENGINE,
            new Subject(worker == null ? "stage" : "worker", name),
            stage.name,
            steps.get(saturated.first()).fromNs());
    if (!open) {
      cause.until(steps.get(saturated.last()).toNs());
    }
    saturated.forEach(k -> cause.steps.add(steps.number(k)));
    Replay.Change change = work.replay().change();
    Times now = new Times();
    for (int i = 0; i < stage.size(); i++) {
      int call = stage.calls[i];
      boolean its = worker == null || stage.worker[i] == worker;
      if (its && saturated.contains(stage.step[i]) && !causes.isExplained(call)) {
        add(now, work, call);
        change.call(call, Math.max(0, work.own(call) - Math.max(0, work.queuedNs(call))));
        cause.explains(call);
      }
    }
    cause
        .cost(change.cost())
        .confidence(0.9)
        .sentence(
            "Calls of %s %s in the queue for %s of their time (%s of %s), in %s.%s"
                .formatted(
                    worker == null ? stage.name : stage.name + " at " + name,
                    open ? "wait" : "waited",
                    Phrases.percent(now.share()),
                    Phrases.seconds(now.queued / now.calls / 1e9),
                    Phrases.seconds(now.all / now.calls / 1e9),
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, saturated.size(), open)))
        .advice("Give engines more memory for their cache, or let fewer sessions run at once.")
        .evidence("share of time in the queue", now.share(), null, "share", stage.name);
    Costs.addIfItMatters(work, causes, cause);
  }
}
