package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;

/** What causes cost, and what is done with them when that is known. */
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
    add(causes, cause);
  }

  /** Adds a cause that is worth telling even if it takes no time; says why if nobody can tell. */
  static void add(Causes causes, Cause cause) {
    causes.add(cause);
    if (cause.cost.wallS() != null) {
      return;
    }
    Double error = cause.cost.modelError();
    String why =
        error == null
            ? "no step is known that waited for it"
            : "replaying the steps misses their real time by " + Phrases.percent(error);
    causes.cannotJudge(cause.kind, "what %s costs: %s".formatted(cause.subject.id(), why));
  }

  /**
   * What repeated or failed calls cost.
   *
   * @param spentNs time in them: all that can be told where no step is known that waited for them
   */
  static Cost ofCalls(Replay.Change without, long spentNs) {
    Cost cost = without.cost();
    boolean known = cost.wallS() != null && cost.modelError() != null;
    return known ? cost : new Cost(null, Words.seconds(spentNs), cost.modelError());
  }

  private static double wallS(RunSteps steps, Cause cause) {
    double all = 0;
    for (int k = 0; k < steps.count(); k++) {
      all += cause.steps.contains(steps.number(k)) ? steps.get(k).wallNs() / 1e9 : 0;
    }
    return all;
  }
}
