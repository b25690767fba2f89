package io.rollscope.otlp;

import io.rollscope.core.view.Scope;
import java.util.Objects;

/** Names batches by their steps; spans of one batch come together and share the name. */
final class StepNames {
  private Long train;
  private Long model;
  private Long future;
  private String name;

  String batchOf(Long trainStep, Long modelStep, Long futureStep) {
    boolean same =
        Objects.equals(train, trainStep)
            && Objects.equals(model, modelStep)
            && Objects.equals(future, futureStep);
    if (!same) {
      train = trainStep;
      model = modelStep;
      future = futureStep;
      name = Scope.batchOf(trainStep, modelStep, futureStep);
    }
    return name;
  }
}
