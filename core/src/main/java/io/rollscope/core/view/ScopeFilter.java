package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.BitSet;
import java.util.Objects;

/** A scope applied to a table as it is now. */
final class ScopeFilter {
  private final SpanTable table;
  private final Scope scope;
  private final boolean[] kept;
  private final boolean[] newestBatch;
  private final String newestBatchId;
  private final long newestKept;

  ScopeFilter(SpanTable table, Scope scope) {
    this.table = table;
    this.scope = scope;
    this.kept = scope.kept(table);
    this.newestBatchId = Scope.newestBatch(table);
    this.newestBatch = scope.kind() == Scope.Kind.ACTIVE ? inNewestBatch() : null;
    long newest = Nanos.UNKNOWN;
    for (int id = 0; kept != null && id < kept.length; id++) {
      newest = kept[id] ? Math.max(newest, table.lastSeen(id)) : newest;
    }
    this.newestKept = newest;
  }

  private boolean[] inNewestBatch() {
    boolean[] in = new boolean[table.coordinatesCount()];
    for (int id = 0; id < in.length; id++) {
      in[id] = Objects.equals(newestBatchId, Scope.batchOf(table.coordinatesOf(id)));
    }
    return in;
  }

  /** Id of the batch with the newest event, or null. */
  String newestBatch() {
    return newestBatchId;
  }

  /** Which coordinates' events are in scope; null for all. */
  boolean[] kept() {
    return kept;
  }

  /** Whether the session loaded in {@code spans}, already filtered by events, is in scope. */
  boolean includes(SessionSpans spans, Status status) {
    if (kept != null) {
      return spans.rowCount() > 0;
    }
    // Without steps there is no latest batch: then everything is in scope, as in XTuner.
    boolean everything = scope.kind() != Scope.Kind.ACTIVE;
    return everything || status.isUnfinished() || isInNewestBatch(spans);
  }

  /** Whether any event of the loaded session belongs to the batch with the newest event. */
  boolean isInNewestBatch(SessionSpans spans) {
    if (newestBatch == null) {
      return false;
    }
    for (int i = 0; i < spans.rowCount(); i++) {
      if (newestBatch[table.coordinates(spans.row(i))]) {
        return true;
      }
    }
    int whole = table.sessionCoordinates(spans.session());
    return whole >= 0 && newestBatch[whole];
  }

  /** Tells {@link #isInNewestBatch} for all sessions at once, without pairing any. */
  void findInNewestBatch(BitSet sessions) {
    sessions.clear();
    if (newestBatch == null) {
      return;
    }
    for (int row = 0; row < table.rows(); row++) {
      if (newestBatch[table.coordinates(row)]) {
        sessions.set(table.session(row));
      }
    }
    for (int s = 0; s < table.sessionCount(); s++) {
      int whole = table.sessionCoordinates(s);
      if (whole >= 0 && newestBatch[whole]) {
        sessions.set(s);
      }
    }
  }

  /** The greatest time among the events in scope, on the clock of this session. */
  long lastEvent(int session) {
    boolean masked = kept != null && !table.hasRelativeClock(session);
    return masked ? newestKept : table.newestInstant(session);
  }
}
