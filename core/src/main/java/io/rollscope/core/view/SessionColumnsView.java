package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SessionColumns.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The sessions of a folder by column. Beyond the budget a quarter of it each goes to the slowest,
 * to the unfinished and to the failed or lost, slowest first; what is left is spread evenly over
 * all others in order of start.
 */
public final class SessionColumnsView {
  private static final Comparator<Row> BY_START =
      Comparator.comparingLong(Row::startNs).thenComparing(Row::session);

  private SessionColumnsView() {}

  /** Looks at the table as it is; unfinished sessions count up to the last event. */
  public static SessionColumns of(
      SpanTable table, Selection scope, int budget, ReportContext context) {
    return of(rows(table, scope), scope, budget, context);
  }

  /** The same; training steps are the batches of a run that names none (contracts.md 5.18). */
  public static SessionColumns of(
      SessionsView.Input input, Selection scope, int budget, ReportContext context) {
    ScopeFilter filter = new ScopeFilter(input.table(), scope);
    Map<Integer, Long> steps = BatchesView.derivedSteps(input, filter);
    return of(rows(input.table(), filter, steps), scope, budget, context);
  }

  private static SessionColumns of(
      List<Row> rows, Selection scope, int budget, ReportContext context) {
    SessionColumns.checkBudget(budget);
    rows.sort(BY_START);
    int[] chosen = choose(rows, budget);
    SessionColumns.Builder columns = new SessionColumns.Builder(chosen.length);
    for (int i : chosen) {
      columns.add(rows.get(i));
    }
    return columns.build(context.source(), context.run(), scope.scope().word(), rows.size());
  }

  /** All that are meant, in no order. */
  static List<Row> rows(SpanTable table, Selection selection) {
    return rows(table, new ScopeFilter(table, selection), Map.of());
  }

  private static List<Row> rows(SpanTable table, ScopeFilter filter, Map<Integer, Long> steps) {
    SiblingWaits<Group, Integer> waits = TableGroups.waits(table, filter);
    return SessionPass.run(
            table,
            filter.kept(),
            () -> new Rows(table, filter, waits, steps),
            Rows::addSession,
            (all, part) -> all.rows.addAll(part.rows))
        .rows;
  }

  private static int[] choose(List<Row> rows, int budget) {
    if (rows.size() <= budget) {
      return IntStream.range(0, rows.size()).toArray();
    }
    int quarter = budget / 4;
    Integer[] slowest = IntStream.range(0, rows.size()).boxed().toArray(Integer[]::new);
    Arrays.sort(slowest, Comparator.comparingLong((Integer i) -> -rows.get(i).wallNs()));
    BitSet kept = new BitSet(rows.size());
    int unfinished = 0;
    int failed = 0;
    for (int rank = 0; rank < slowest.length; rank++) {
      String status = rows.get(slowest[rank]).status();
      boolean waits = is(status, Status.QUEUED) || is(status, Status.RUNNING);
      boolean broke = is(status, Status.FAILED) || is(status, Status.LOST);
      unfinished += waits ? 1 : 0;
      failed += broke ? 1 : 0;
      if (rank < quarter || (waits && unfinished <= quarter) || (broke && failed <= quarter)) {
        kept.set(slowest[rank]);
      }
    }
    long chosen = kept.cardinality();
    long room = budget - chosen;
    long others = rows.size() - chosen;
    long seen = 0;
    for (int i = kept.nextClearBit(0); i < rows.size(); i = kept.nextClearBit(i + 1)) {
      if ((seen + 1) * room / others > seen * room / others) {
        kept.set(i);
      }
      seen++;
    }
    return kept.stream().toArray();
  }

  private static boolean is(String word, Status status) {
    return status.word().equals(word);
  }

  /** Whether a session counts in the distributions of how long sessions took. */
  static boolean isMeasured(SpanTable table, int session, Status status, Window window) {
    boolean sourceFinalises = table.submitted(session) != Nanos.UNKNOWN;
    boolean ended = !status.isUnfinished() && status != Status.LOST;
    return window.finalised() || (!sourceFinalises && ended);
  }

  private static final class Rows {
    private final SpanTable table;
    private final ScopeFilter filter;
    private final SiblingWaits<Group, Integer> waits;
    private final Map<Integer, Long> steps;
    private final Accounting accounting = new Accounting();
    final List<Row> rows = new ArrayList<>();

    Rows(
        SpanTable table,
        ScopeFilter filter,
        SiblingWaits<Group, Integer> waits,
        Map<Integer, Long> steps) {
      this.steps = steps;
      this.table = table;
      this.filter = filter;
      this.waits = waits;
    }

    void addSession(SessionSpans spans) {
      int s = spans.session();
      if (table.isLane(s)) {
        return;
      }
      SessionState state = SessionState.of(spans);
      if (!filter.includes(spans, state.status())) {
        return;
      }
      Window window = Window.of(spans, state.status(), filter.asOf(s));
      accounting.account(spans, window.from(), window.to(), window.finalised());
      int told = 0;
      int open = 0;
      int errors = 0;
      for (int i = 0; i < spans.count(); i++) {
        open += spans.isOpen(i) ? 1 : 0;
        told += spans.isInferred(i) ? 0 : 1;
        errors += spans.outcome(i) == Outcome.ERROR ? 1 : 0;
      }
      Coordinates at = state.at();
      Long step = steps.get(s);
      long othersEnd = waits.othersEnd(TableGroups.of(table, s, at), s);
      rows.add(
          new Row(
              table.key(s),
              table.traceId(s),
              state.status().word(),
              step == null ? Scope.batchOf(at) : SessionSteps.batchOf(step),
              table.taskId(s) < 0 ? at.task() : table.task(s),
              at.taskName(),
              at.worker().label(),
              state.reason(),
              state.sourceStatus(),
              table.noteText(table.inferredGroup(s)),
              window.from(),
              window.to() - window.from(),
              window.to(),
              accounting.workEnd() - window.from(),
              accounting.ownEnd() - window.from(),
              window.finalised(),
              accounting.queue(),
              accounting.gap(),
              accounting.siblings(othersEnd),
              accounting.barrier(),
              accounting.unaccounted(),
              accounting.outside(),
              OutsideTime.of(spans, accounting),
              told,
              open,
              errors,
              step == null ? at.trainStep() : step,
              table.rewardAndTokens(s)));
    }
  }
}
