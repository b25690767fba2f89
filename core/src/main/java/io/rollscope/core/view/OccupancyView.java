package io.rollscope.core.view;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;

/** Answers how many sessions were where, over time. */
public final class OccupancyView {
  private OccupancyView() {}

  /**
   * From the first start to the last end in scope, of sessions or of processes' work; a running
   * session lasts to the last event.
   */
  public static OccupancyReport of(
      SpanTable table, Selection scope, int buckets, ReportContext context) {
    return of(table, scope, null, null, buckets, context);
  }

  /** Of a part of the time; null for the first start and the last end. */
  public static OccupancyReport of(
      SpanTable table,
      Selection scope,
      Long fromNs,
      Long toNs,
      int buckets,
      ReportContext context) {
    ScopeFilter filter = new ScopeFilter(table, scope);
    Lifetimes extent =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new Lifetimes(table, filter, null, null),
            Lifetimes::see,
            Lifetimes::addAll);
    boolean empty = extent.first > extent.last;
    long from = fromNs != null ? fromNs : empty ? 0 : extent.first;
    long to = toNs != null ? toNs : Math.max(from, empty ? 0 : extent.last + 1);
    SiblingWaits<Group, Integer> siblings = TableGroups.waits(table, filter);
    Lifetimes all =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new Lifetimes(table, filter, new OccupancyBuckets(from, to, buckets), siblings),
            Lifetimes::add,
            Lifetimes::addAll);
    return all.occupancy.report(
        context.source(), context.run(), scope.scope().word(), all.sessions, 0);
  }

  private static final class Lifetimes {
    private final SpanTable table;
    private final ScopeFilter filter;
    private final OccupancyBuckets occupancy;
    private final SiblingWaits<Group, Integer> siblings;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private int sessions;

    Lifetimes(
        SpanTable table,
        ScopeFilter filter,
        OccupancyBuckets occupancy,
        SiblingWaits<Group, Integer> siblings) {
      this.table = table;
      this.filter = filter;
      this.occupancy = occupancy;
      this.siblings = siblings;
    }

    /** When the session lived, or null if it is not in scope. */
    private Window windowOf(SessionSpans spans) {
      if (table.isLane(spans.session())) {
        return null;
      }
      Status status = SessionState.statusOf(spans);
      return filter.includes(spans, status)
          ? Window.of(spans, status, filter.asOf(spans.session()))
          : null;
    }

    void see(SessionSpans spans) {
      Window window = windowOf(spans);
      if (window != null) {
        see(window.from(), window.to());
      }
      boolean lane = table.isLane(spans.session()) && filter.includesLanes();
      for (int i = 0; lane && i < spans.count(); i++) {
        see(spans.start(i), spans.end(i, spans.start(i)));
      }
    }

    private void see(long since, long until) {
      first = Math.min(first, since);
      last = Math.max(last, until);
    }

    /** A session that was over when the window began is not counted. */
    void add(SessionSpans spans) {
      Window window = windowOf(spans);
      if (window != null && window.to() > occupancy.from()) {
        sessions++;
        int s = spans.session();
        Group group = TableGroups.of(table, s, SessionState.of(spans).at());
        occupancy.addSession(
            spans, window.from(), window.to(), window.finalised(), siblings.othersEnd(group, s));
      }
    }

    void addAll(Lifetimes other) {
      sessions += other.sessions;
      see(other.first, other.last);
      if (occupancy != null) {
        occupancy.addAll(other.occupancy);
      }
    }
  }
}
