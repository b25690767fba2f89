package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.Objects;

/** A scope applied to a table as it is now. */
final class ScopeFilter {
  private final SpanTable table;
  private final Scope scope;
  private final boolean[] kept;
  private final boolean[] newestBatch;
  private final long newestKept;

  ScopeFilter(SpanTable table, Scope scope) {
    this.table = table;
    this.scope = scope;
    this.kept = scope.kept(table);
    this.newestBatch = scope.kind() == Scope.Kind.ACTIVE ? inNewestBatch(table) : null;
    long newest = Nanos.UNKNOWN;
    for (int id = 0; kept != null && id < kept.length; id++) {
      newest = kept[id] ? Math.max(newest, table.lastSeen(id)) : newest;
    }
    this.newestKept = newest;
  }

  private static boolean[] inNewestBatch(SpanTable table) {
    String batch = Scope.newestBatch(table);
    boolean[] in = new boolean[table.coordinatesCount()];
    for (int id = 0; id < in.length; id++) {
      in[id] = Objects.equals(batch, Scope.batchOf(table.coordinatesOf(id)));
    }
    return in;
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
    return scope.kind() == Scope.Kind.ALL
        || status.isUnfinished()
        || isInNewestBatch(spans.session());
  }

  /** Whether anything of this session belongs to the batch with the newest event. */
  boolean isInNewestBatch(int session) {
    for (int row = table.newestRow(session); row >= 0; row = table.previous(row)) {
      if (newestBatch[table.coordinates(row)]) {
        return true;
      }
    }
    int whole = table.sessionCoordinates(session);
    return whole >= 0 && newestBatch[whole];
  }

  /** The greatest time among the events in scope, on the clock of this session. */
  long lastEvent(int session) {
    boolean masked = kept != null && !table.hasRelativeClock(session);
    return masked ? newestKept : table.newestInstant(session);
  }
}
