package io.rollscope.sdk;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Phases that end on another thread. */
final class Async {
  private Async() {}

  static <S extends CompletionStage<?>> S trace(Phase phase, Supplier<S> body) {
    S stage;
    try {
      stage = body.get();
    } catch (Throwable error) {
      phase.failed(error).close();
      throw error;
    }
    phase.leave();
    if (stage == null) {
      phase.close();
    } else {
      stage.whenComplete((value, error) -> phase.failed(error).close());
    }
    return stage;
  }
}
