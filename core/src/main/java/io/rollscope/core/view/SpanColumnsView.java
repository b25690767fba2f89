package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.PieceList;
import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.Parents;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongConsumer;

/** The spans of chosen sessions, and of processes, by column. */
public final class SpanColumnsView {
  private final SpanTable table;
  private final ScopeFilter filter;
  private final SessionSpans spans;
  private final Accounting accounting = new Accounting();
  private final SiblingWaits<Group, Integer> waits;
  private final Parents parents;
  private final PieceList pieces = new PieceList();
  private final SessionNesting nesting = new SessionNesting();
  private final SpanColumnsBuilder columns = new SpanColumnsBuilder();

  private SpanColumnsView(SpanTable table, Selection scope) {
    this.table = table;
    this.filter = new ScopeFilter(table, scope);
    this.spans = new SessionSpans(table);
    this.parents = new Parents(spans);
    this.waits = TableGroups.waits(table, filter);
  }

  /**
   * Looks at the table as it is; open spans count up to the last event in scope.
   *
   * @param sessions the sessions in scope
   * @param kept places in {@code sessions} of those wanted
   * @param trackBudget most spans of processes; the longest stay
   * @param progress is told of each session that is done
   */
  public static SpanColumns of(
      SpanTable table,
      Selection scope,
      SessionColumns sessions,
      BitSet kept,
      int trackBudget,
      LongConsumer progress) {
    SpanColumnsView view = new SpanColumnsView(table, scope);
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      view.addSession(i, table.findSession(sessions.session()[i]));
      progress.accept(1);
    }
    view.addTracks(trackBudget);
    return view.columns.build();
  }

  private void addSession(int place, int s) {
    spans.load(s, filter.kept());
    SessionState state = SessionState.of(spans);
    Group group = TableGroups.of(table, s, state.at());
    long now = filter.asOf(s);
    long othersEnd = waits.othersEnd(group, s);
    Window window = account(state.status(), now, othersEnd);
    long closesAt = window.finalised() ? window.to() : now;
    nesting.add(spans, accounting, closesAt);
    boolean measured = SessionColumnsView.isMeasured(table, s, state.status(), window);
    columns.beginSession(
        place, group, measured, table.hasRelativeClock(s), window.from(), window.to());
    addSpans(closesAt, 0, othersEnd, true);
  }

  private Window account(Status status, long now, long othersEnd) {
    Window window = Window.of(spans, status, now);
    pieces.clear();
    accounting.tell(pieces, othersEnd);
    accounting.account(spans, window.from(), window.to(), window.finalised());
    return window;
  }

  private void addTracks(int budget) {
    long shortest = shortestTrackSpan(budget);
    for (int s = 0; s < table.sessionCount(); s++) {
      if (!table.isLane(s)) {
        continue;
      }
      spans.load(s, filter.kept());
      if (spans.count() == 0) {
        continue;
      }
      long now = filter.asOf(s);
      Window window = account(SessionState.statusOf(spans), now, SiblingWaits.NOBODY);
      columns.beginTrack(table.key(s), window.from(), window.to());
      addSpans(now, shortest, SiblingWaits.NOBODY, false);
    }
  }

  /** How long a span of a track must be, so that no more than the budget are. */
  private long shortestTrackSpan(int budget) {
    long[] lengths = new long[1024];
    int count = 0;
    for (int s = 0; s < table.sessionCount(); s++) {
      if (!table.isLane(s)) {
        continue;
      }
      spans.load(s, filter.kept());
      for (int i = 0; i < spans.count(); i++) {
        if (count == lengths.length) {
          lengths = Arrays.copyOf(lengths, count * 2);
        }
        lengths[count++] = spans.end(i, filter.asOf(s)) - spans.start(i);
      }
    }
    if (count <= budget) {
      return 0;
    }
    Arrays.sort(lengths, 0, count);
    return lengths[count - budget] + 1;
  }

  private void addSpans(long closesAt, long shortest, long othersEnd, boolean session) {
    int[] order = spans.drawOrder(closesAt);
    parents.find();
    boolean[] critical =
        SessionView.critical(spans, SessionView.selfTimes(spans, accounting, othersEnd));
    int[] places = new int[spans.count()];
    Arrays.fill(places, -1);
    int count = 0;
    for (int i : order) {
      long length = spans.end(i, closesAt) - spans.start(i);
      if (length < shortest) {
        continue;
      }
      columns.add(
          new SpanColumnsBuilder.Span(
              table.nameOf(spans.name(i)),
              spans.kind(i),
              spans.isWork(i),
              spans.outcome(i).word(),
              spans.at(i).worker().label(),
              spans.error(i),
              placeAbove(i, places),
              spans.depth(i),
              spans.start(i),
              length,
              spans.isOpen(i),
              spans.clockDisagrees(i),
              session && spans.isWork(i) ? nesting.branch(i) : null,
              critical[i]));
      places[i] = count++;
    }
    // Of tracks short spans are left out: their time is nobody's here.
    pieces.tell(
        (leaf, from, to) ->
            columns.addPiece(leaf < 0 ? leaf : places[leaf] < 0 ? Pieces.GAP : places[leaf], to));
  }

  /** The nearest span around this one that is already here; parents may be named in a circle. */
  private int placeAbove(int span, int[] places) {
    int above = parents.of(span);
    for (int hops = 0; above >= 0 && hops < spans.count(); hops++) {
      if (places[above] >= 0) {
        return places[above];
      }
      above = parents.of(above);
    }
    return -1;
  }
}
