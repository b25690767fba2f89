package io.rollscope.core.diagnosis;

/** Says why a cost is unknown. */
final class Costs {
  private Costs() {}

  static void mention(Causes causes, Cause cause) {
    Double error = cause.cost.modelError();
    if (cause.cost.wallS() == null && error != null) {
      causes.cannotJudge(
          cause.kind,
          "what %s costs: replaying the steps misses their real time by %s"
              .formatted(cause.subject.id(), Words.percent(error)));
    }
  }
}
