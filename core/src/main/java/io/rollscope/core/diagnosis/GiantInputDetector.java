package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.diagnosis.SessionSizes.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Whether tasks are given far longer prompts than those of other steps, and take longer for it: one
 * task, or those of one name.
 */
final class GiantInputDetector implements Detector {
  /** Times the usual prompt: a prompt is read many times faster than it is answered. */
  private static final double LEAST_SIZE = 4;

  /** Of the lost time. */
  private static final double MOST = 0.8;

  /** Stands for all task names; no source writes an empty one. */
  private static final String ALL = "";

  /** All sessions of a step may have been given longer prompts. */
  private static final double ANY = 1;

  @Override
  public void detect(RunWork work, Causes causes) {
    SessionSizes prompts = SessionSizes.prompts(work);
    if (prompts.knownSteps() < 2) {
      causes.cannotJudge(
          FindingKind.GIANT_INPUT, "fewer than two steps with sessions that count their prompts");
      return;
    }
    NavigableSet<Integer> steps = prompts.withOutliers(LEAST_SIZE, ANY);
    if (steps.isEmpty()) {
      return;
    }
    Map<String, Double> usual = usualOwnNs(work, prompts, steps);
    Map<Integer, Long> lost = new HashMap<>();
    for (Size one : prompts.outliers(steps)) {
      String name = String.valueOf(work.sessions().get(one.session()).taskName());
      double other = usual.getOrDefault(name, usual.getOrDefault(ALL, Double.MAX_VALUE));
      long more = prompts.ownNs(one.session()) - Math.round(other);
      if (more > 0) {
        lost.put(one.session(), more);
      }
    }
    if (!lost.isEmpty()) {
      report(work, causes, prompts, steps, lost);
    }
  }

  /** By task name, and for {@link #ALL}, what sessions with other prompts take. */
  private static Map<String, Double> usualOwnNs(
      RunWork work, SessionSizes prompts, NavigableSet<Integer> steps) {
    NavigableSet<Integer> giant = new TreeSet<>();
    prompts.outliers(steps).forEach(one -> giant.add(one.session()));
    Map<String, Doubles> byName = new HashMap<>();
    for (int s = 0; s < work.sessions().size(); s++) {
      SessionWork one = work.sessions().get(s);
      int step = work.steps().ofSession(s);
      if (!one.lane() && !giant.contains(s) && step >= 0 && !work.steps().isWarmUp(step)) {
        byName
            .computeIfAbsent(String.valueOf(one.taskName()), n -> new Doubles())
            .add((double) prompts.ownNs(s));
      }
    }
    Map<String, Double> usual = new HashMap<>();
    Doubles everything = new Doubles();
    byName.forEach(
        (name, all) -> {
          usual.put(name, all.median());
          everything.addAll(all);
        });
    if (everything.size() > 0) {
      usual.put(ALL, everything.median());
    }
    return usual;
  }

  private static void report(
      RunWork work,
      Causes causes,
      SessionSizes prompts,
      NavigableSet<Integer> steps,
      Map<Integer, Long> lost) {
    RunSteps all = work.steps();
    Replay.Change change = work.replay().change();
    lost.forEach(change::session);
    List<Integer> sessions = new ArrayList<>(lost.keySet());
    boolean open = steps.last() == prompts.lastKnownStep();
    Cause cause =
        new Cause(
            FindingKind.GIANT_INPUT,
            new Subject("task", subject(work, lost)),
            null,
            all.get(steps.first()).fromNs());
    if (!open) {
      cause.until(all.get(steps.last()).toNs());
    }
    steps.forEach(k -> cause.steps.add(all.number(k)));
    Doubles amounts = new Doubles();
    Doubles times = new Doubles();
    for (Size one : prompts.outliers(steps)) {
      if (lost.containsKey(one.session())) {
        amounts.add(one.amount());
        times.add(one.times());
        SessionWork session = work.sessions().get(one.session());
        for (int i = 0; i < session.calls(); i++) {
          cause.explains(session.firstCall() + i);
        }
      }
    }
    cause
        .cost(change.cost())
        .confidence(0.85)
        .victims(WaitingSessions.of(work, sessions))
        .sentence(
            "%s: %d sessions are given %s × as many tokens to read as usual (%s), in %s.%s"
                .formatted(
                    cause.subject.id(),
                    lost.size(),
                    Phrases.ratio(times.median()),
                    Phrases.number(amounts.median()),
                    Phrases.steps(cause.steps),
                    Phrases.cost(cause.cost, steps.size(), open)))
        .advice("Look at the prompts of " + cause.subject.id() + "; filter or cut the longest.")
        .evidence(
            "tokens of the prompt",
            amounts.median(),
            amounts.median() / times.median(),
            "tokens",
            work.sessions().get(sessions.get(0)).id());
    Costs.addIfItMatters(work, causes, cause);
  }

  /** The task that lost most of the time; if none did, the name that did; else the worst task. */
  private static String subject(RunWork work, Map<Integer, Long> lost) {
    Map<String, Long> byTask = new HashMap<>();
    Map<String, Long> byName = new HashMap<>();
    lost.forEach(
        (s, ns) -> {
          SessionWork one = work.sessions().get(s);
          byTask.merge(one.task() == null ? one.id() : one.task(), ns, Long::sum);
          byName.merge(String.valueOf(one.taskName()), ns, Long::sum);
        });
    long all = lost.values().stream().mapToLong(Long::longValue).sum();
    String task = most(byTask);
    String name = most(byName);
    boolean oneTask = byTask.get(task) >= MOST * all;
    return oneTask || byName.get(name) < MOST * all || name.equals("null") ? task : name;
  }

  private static String most(Map<String, Long> parts) {
    return parts.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }
}
