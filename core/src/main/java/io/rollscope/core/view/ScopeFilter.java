package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.Objects;
import java.util.function.Predicate;

/** A selection applied to a table as it is now. */
public final class ScopeFilter {
  private final SpanTable table;
  private final Scope scope;
  private final SessionFilter filter;
  private final long nowNs;
  private final boolean[] kept;
  private final ScopeRule rule;
  private final boolean everything;
  private final long newestKept;

  public ScopeFilter(SpanTable table, Selection selection) {
    this.table = table;
    this.scope = selection.scope();
    this.filter = selection.filter();
    this.nowNs = selection.nowNs();
    this.kept = scope.kept(table);
    this.rule = rule();
    // Without steps there is no latest batch: then everything is in scope, as in XTuner.
    this.everything = kept == null && (scope.kind() != Scope.Kind.ACTIVE || isOneBatch());
    long newest = Nanos.UNKNOWN;
    for (int id = 0; kept != null && id < kept.length; id++) {
      newest = kept[id] ? Math.max(newest, table.lastSeen(id)) : newest;
    }
    this.newestKept = newest;
  }

  private ScopeRule rule() {
    ScopeRule told = new ScopeRule(scope);
    int newest = table.newestSession();
    if (newest >= 0) {
      SessionSpans spans = new SessionSpans(table);
      spans.load(newest);
      told.see(table.key(newest), SessionState.of(spans).at(), table.newestInstant(newest));
    }
    return told;
  }

  private boolean isOneBatch() {
    for (int id = 0; id < table.coordinatesCount(); id++) {
      boolean other = !Objects.equals(Scope.batchOf(table.coordinatesOf(id)), rule.newestBatch());
      if (other && table.lastSeenRow(id) != Integer.MAX_VALUE) {
        return false;
      }
    }
    return true;
  }

  /** Which coordinates' events are in scope; null for all. */
  public boolean[] kept() {
    return kept;
  }

  /** Whether work of processes is meant: not where only some sessions are. */
  public boolean includesLanes() {
    return filter.isEmpty();
  }

  /** Whether errors of this stage are meant. */
  boolean includesErrorsOf(String stage) {
    return filter.stage() == null || filter.stage().equals(stage);
  }

  /** Whether the session loaded in {@code spans}, already filtered by events, is meant. */
  public boolean includes(SessionSpans spans, Status status) {
    boolean in =
        kept == null
            ? everything || status.isUnfinished() || isIn(batchOf(spans), status)
            : spans.rowCount() > 0;
    return in && (filter.isEmpty() || filter.passes(new Subject(spans)));
  }

  /** Whether a session of this batch is in a scope that does not go by events. */
  boolean isIn(String batch, Status status) {
    return everything || rule.includes(batch, status);
  }

  private static String batchOf(SessionSpans spans) {
    return Scope.batchOf(SessionState.of(spans).at());
  }

  /** Until when open work counts: what was asked for, else the last event of the run. */
  public long now() {
    if (nowNs != Nanos.UNKNOWN) {
      return nowNs;
    }
    long wall = table.newestEvent();
    return wall == Nanos.UNKNOWN ? table.newestOnOwnClocks() : wall;
  }

  /** Until when open work of this session counts: what was asked for, else the last event. */
  public long asOf(int session) {
    return asOf(session, table.newestInstant(session));
  }

  /** The same, where only events in scope count. */
  long asOfScope(int session) {
    return asOf(session, kept == null ? table.newestInstant(session) : newestKept);
  }

  private long asOf(int session, long lastEvent) {
    if (table.hasRelativeClock(session)) {
      return table.newestInstant(session);
    }
    return nowNs == Nanos.UNKNOWN ? Math.max(lastEvent, table.newestSign()) : nowNs;
  }

  /** A session as filters see it. */
  static class Subject implements SessionFilter.Subject {
    private final SessionSpans spans;
    private final SessionState state;

    Subject(SessionSpans spans) {
      this.spans = spans;
      this.state = SessionState.of(spans);
    }

    @Override
    public String session() {
      return spans.table().key(spans.session());
    }

    @Override
    public String traceId() {
      return spans.table().traceId(spans.session());
    }

    @Override
    public String task() {
      return state.at().task();
    }

    @Override
    public String taskName() {
      return state.at().taskName();
    }

    @Override
    public Status status() {
      return state.status();
    }

    @Override
    public Worker worker() {
      return state.at().worker();
    }

    @Override
    public String reason() {
      return state.reason();
    }

    @Override
    public boolean isOfStage(String stage) {
      for (int i = 0; i < spans.count(); i++) {
        if (spans.stage(i).equals(stage)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean anySpan(Predicate<String> like) {
      for (int i = 0; i < spans.count(); i++) {
        if (like.test(spans.stage(i)) || like.test(spans.error(i))) {
          return true;
        }
      }
      return false;
    }
  }
}
