package io.rollscope.core.view;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Status;
import io.rollscope.core.time.Nanos;
import java.util.Comparator;
import java.util.Objects;

/**
 * Which batch a scope is about and who belongs to it (contracts.md 4.5 to 4.8). First it is told of
 * every session, then it can be asked.
 */
public final class ScopeRule {
  /** An event without a training step ranks below all others, whatever its other steps say. */
  static final Comparator<Coordinates> BY_STEPS =
      Comparator.<Coordinates>comparingLong(c -> orLeast(c, c.trainStep()))
          .thenComparingLong(c -> orLeast(c, c.modelStep()))
          .thenComparingLong(c -> orLeast(c, c.futureStep()));

  private final Scope scope;
  private Coordinates newest;
  private String newestId;
  private long newestNs = Nanos.UNKNOWN;
  private Coordinates latest;
  private long latestNs = Nanos.UNKNOWN;

  public ScopeRule(Scope scope) {
    this.scope = scope;
  }

  private static long orLeast(Coordinates c, Long step) {
    return c.trainStep() == null || step == null ? -1 : step;
  }

  /**
   * There is a session; lanes, ops and states are none.
   *
   * @param at its batch and steps
   * @param lastNs its newest event
   */
  public void see(String id, Coordinates at, long lastNs) {
    boolean newer = newest == null || lastNs > newestNs;
    if (newer || (lastNs == newestNs && id.compareTo(newestId) < 0)) {
      newest = at;
      newestId = id;
      newestNs = lastNs;
    }
    boolean inBatch = at.batch() != null || at.trainStep() != null;
    if (inBatch && (latest == null || isLater(at, lastNs))) {
      latest = at;
      latestNs = lastNs;
    }
  }

  /** A batch that the source names goes before one that only has steps. */
  private boolean isLater(Coordinates at, long lastNs) {
    if ((at.batch() == null) != (latest.batch() == null)) {
      return at.batch() != null;
    }
    int order = BY_STEPS.compare(at, latest);
    return order > 0 || (order == 0 && lastNs > latestNs);
  }

  /** The batch of the session with the newest event; null for the sessions without one. */
  public String newestBatch() {
    return newest == null ? null : Scope.batchOf(newest);
  }

  /** Whether it must be told of sessions. */
  public boolean needsSessions() {
    return scope.kind() == Scope.Kind.ACTIVE || scope.kind() == Scope.Kind.LATEST;
  }

  /** The only batch whose events are in scope, or null. */
  public String narrowedTo() {
    return switch (scope.kind()) {
      case BATCH -> scope.batch();
      case LATEST -> latest == null ? null : Scope.batchOf(latest);
      case ACTIVE, ALL -> null;
    };
  }

  /**
   * Whether a session is in scope.
   *
   * @param batch its batch, or null
   */
  public boolean includes(String batch, Status status) {
    return switch (scope.kind()) {
      case ALL -> true;
      case ACTIVE -> status.isUnfinished() || Objects.equals(batch, newestBatch());
      // Without steps there is no latest batch: then everything is in scope, as in XTuner.
      case BATCH, LATEST -> narrowedTo() == null || narrowedTo().equals(batch);
    };
  }
}
