package io.rollscope.core.diagnosis;

/** What is done with a cause when its cost is known. */
final class Costs {
  /** Steps of a healthy run differ by more than this part by themselves. */
  private static final double LEAST_PART = 0.01;

  private Costs() {}

  /** Adds a cause unless its steps would be as long without it; says why if nobody can tell. */
  static void addIfItMatters(RunWork work, Causes causes, Cause cause) {
    Double wall = cause.cost.wallS();
    if (wall != null && wall < LEAST_PART * wallS(work.steps(), cause)) {
      return;
    }
    causes.add(cause);
    Double error = cause.cost.modelError();
    if (wall == null && error != null) {
      causes.cannotJudge(
          cause.kind,
          "what %s costs: replaying the steps misses their real time by %s"
              .formatted(cause.subject.id(), Phrases.percent(error)));
    }
  }

  private static double wallS(RunSteps steps, Cause cause) {
    double all = 0;
    for (int k = 0; k < steps.count(); k++) {
      all += cause.steps.contains(steps.number(k)) ? steps.get(k).wallNs() / 1e9 : 0;
    }
    return all;
  }
}
