package io.rollscope.core.report;

import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Which part of a run a training step is: its batch. */
public final class StepScope {
  private static final int MOST_BATCHES = 1_000;
  private static final int SHOWN = 5;

  private StepScope() {}

  /** The scope of a step that the run has, and that is one batch. */
  public static Scope of(RunReports run, long step) throws IOException {
    List<Batch> batches = run.batches(ReportRequest.of(Scope.ALL).limit(MOST_BATCHES)).batches();
    List<String> found =
        batches.stream()
            .filter(batch -> Objects.equals(batch.trainStep(), step))
            .map(Batch::batch)
            .toList();
    if (found.size() == 1) {
      return Scope.ofBatch(found.get(0));
    }
    throw new IllegalArgumentException(
        "step: "
            + step
            + (found.isEmpty()
                ? " (expected: " + known(batches) + ")"
                : " is several batches (expected: batch, one of " + some(found) + ")"));
  }

  private static String known(List<Batch> batches) {
    List<String> steps =
        batches.stream()
            .map(Batch::trainStep)
            .filter(Objects::nonNull)
            .distinct()
            .map(Object::toString)
            .toList();
    return steps.isEmpty() ? "a run that names its steps" : "one of " + some(steps);
  }

  private static String some(List<String> all) {
    return all.stream().limit(SHOWN).collect(Collectors.joining(", "))
        + (all.size() > SHOWN ? ", …" : "");
  }
}
