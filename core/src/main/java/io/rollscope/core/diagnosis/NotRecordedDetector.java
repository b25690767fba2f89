package io.rollscope.core.diagnosis;

/** Kinds that need facts which tables do not hold. */
final class NotRecordedDetector implements Detector {
  @Override
  public void detect(RunWork work, Causes causes) {
    causes.cannotJudge(FindingKind.STALE_DATA, "policy versions of samples are not known");
  }
}
