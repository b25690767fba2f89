package io.rollscope.benchmarks.diagnosis;

import java.util.List;

/**
 * How right the findings of one run are.
 *
 * @param isRight whether the first finding that matters is the first fault; of a healthy run,
 *     whether there is none
 * @param isNamed whether the first fault is among the findings at all
 * @param costError by what part the cost of the first fault is wrong; null where it is not told, or
 *     cannot be
 * @param isCostKnown whether the cost of the first fault can be told
 * @param beside false alarms
 * @param said the first finding that matters, in short; empty for silence
 */
record Judgement(
    KnownRun run,
    boolean isRight,
    boolean isNamed,
    Double costError,
    boolean isCostKnown,
    List<String> beside,
    String said) {

  String kind() {
    return run.isHealthy() ? "healthy" : run.faults().get(0).kind();
  }
}
