package io.rollscope.store.hot;

import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Scope;
import java.util.Objects;

/** Which sessions of a run are in scope, told by their batch and status. */
final class BatchScope {
  private final Scope scope;
  private String batch;

  BatchScope(HotRun run, Scope scope) {
    this.scope = scope;
    switch (scope.kind()) {
      case BATCH -> batch = scope.batch();
      case ACTIVE -> batch = newestInTime(run);
      case LATEST -> batch = highestSteps(run);
      case ALL -> {}
    }
  }

  /**
   * @param of the session's batch, or null
   */
  boolean includes(String of, Status status) {
    return switch (scope.kind()) {
      case ALL -> true;
      case BATCH -> Objects.equals(of, batch);
      case ACTIVE -> status.isUnfinished() || (batch != null && batch.equals(of));
      // Without steps there is no latest batch: then everything is in scope, as in XTuner.
      case LATEST -> batch == null || batch.equals(of);
    };
  }

  private static String newestInTime(HotRun run) {
    String newest = null;
    long last = Nanos.UNKNOWN;
    for (var entry : run.gone.entrySet()) {
      if (entry.getValue().lastNs > last && entry.getValue().total() > 0) {
        last = entry.getValue().lastNs;
        newest = entry.getKey().isEmpty() ? null : entry.getKey();
      }
    }
    for (HotSession session : run.sessions) {
      SessionSummary<HotSpan> facts = session.facts();
      if (!session.key.lane() && facts.lastNs() > last) {
        last = facts.lastNs();
        newest = facts.batch();
      }
    }
    return newest;
  }

  private static String highestSteps(HotRun run) {
    String highest = null;
    long[] best = {-1, -1, -1};
    for (var entry : run.gone.entrySet()) {
      HotRun.Gone gone = entry.getValue();
      long[] steps = steps(gone.trainStep, gone.modelStep, gone.futureStep);
      if (!entry.getKey().isEmpty() && gone.total() > 0 && isHigher(steps, best, highest)) {
        best = steps;
        highest = entry.getKey();
      }
    }
    for (HotSession session : run.sessions) {
      SessionSummary<HotSpan> facts = session.facts();
      if (facts.batch() != null && !session.key.lane()) {
        long[] steps = steps(facts.trainStep(), facts.modelStep(), facts.futureStep());
        if (isHigher(steps, best, highest)) {
          best = steps;
          highest = facts.batch();
        }
      }
    }
    return highest;
  }

  private static long[] steps(Long train, Long model, Long future) {
    return new long[] {orLeast(train), orLeast(model), orLeast(future)};
  }

  private static long orLeast(Long step) {
    return step == null ? -1 : step;
  }

  private static boolean isHigher(long[] steps, long[] best, String highest) {
    return highest == null || java.util.Arrays.compare(steps, best) > 0;
  }
}
