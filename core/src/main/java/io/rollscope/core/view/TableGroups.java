package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.NanoSum;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The groups of a table's sessions, seen by one thread: when each session was done by itself, and
 * leaf time that turns out to be a wait for siblings when all sessions have been seen.
 */
public final class TableGroups {
  private final SpanTable table;
  private final boolean rowsNameTasks;
  private final SiblingWaits<Group, Integer> waits = new SiblingWaits<>();
  private final List<Candidate> candidates = new ArrayList<>();

  private record Candidate(
      Group group, int session, long from, long to, List<NanoSum> selfTimes, WaitTotals waits) {}

  TableGroups(SpanTable table) {
    this.table = table;
    boolean named = false;
    for (int id = 0; id < table.coordinatesCount() && !named; id++) {
      named = table.coordinatesOf(id).task() != null;
    }
    this.rowsNameTasks = named;
  }

  /** The group of a session that is there, or null. */
  public static Group of(SpanTable table, int session, Coordinates at) {
    int inferred = table.inferredGroup(session);
    String task = table.taskId(session) < 0 ? at.task() : table.taskKey(session);
    return task == null && inferred < 0
        ? null
        : Group.of(Scope.batchOf(at), task, table.noteText(inferred));
  }

  /** Whether anything may be known of the session's group. */
  boolean mayHaveGroup(int session) {
    return rowsNameTasks || table.taskId(session) >= 0 || table.inferredGroup(session) >= 0;
  }

  /** A session has been accounted for; in scope or not, others may have waited for it. */
  void ended(Group group, int session, Accounting accounted) {
    if (group != null) {
      waits.add(group, session, accounted.ownEnd());
    }
  }

  /**
   * Keeps what may have been a wait.
   *
   * @param selfTimes by number of the span: the sums its self time went into
   * @param totals where the wait goes instead
   */
  void keep(
      Group group,
      int session,
      Accounting accounted,
      IntFunction<List<NanoSum>> selfTimes,
      WaitTotals totals) {
    for (int k = 0; group != null && k < accounted.candidateCount(); k++) {
      candidates.add(
          new Candidate(
              group,
              session,
              accounted.candidateFrom(k),
              accounted.candidateTo(k),
              selfTimes.apply(accounted.candidateLeaf(k)),
              totals));
    }
  }

  /** When the sessions of each group were done, for views that must know before they look. */
  static SiblingWaits<Group, Integer> waits(SpanTable table, ScopeFilter filter) {
    return SessionPass.run(
            table,
            filter.kept(),
            () -> new Pass(new TableGroups(table), new Accounting()),
            (pass, spans) -> {
              int s = spans.session();
              if (pass.groups().mayHaveGroup(s) && spans.rowCount() > 0) {
                SessionState state = SessionState.of(spans);
                Window window = Window.of(spans, state.status(), filter.asOf(s));
                pass.accounting().account(spans, window.from(), window.to(), window.finalised());
                pass.groups().ended(of(table, s, state.at()), s, pass.accounting());
              }
            },
            (all, part) -> all.groups().waits.addAll(part.groups().waits))
        .groups()
        .waits;
  }

  private record Pass(TableGroups groups, Accounting accounting) {}

  /** All parts have been seen: what was a wait is taken out of the self times. */
  static SiblingWaits<Group, Integer> settle(List<TableGroups> parts) {
    SiblingWaits<Group, Integer> all = new SiblingWaits<>();
    parts.forEach(part -> all.addAll(part.waits));
    for (TableGroups part : parts) {
      for (Candidate c : part.candidates) {
        long cut = SiblingWaits.cut(c.from(), c.to(), all.othersEnd(c.group(), c.session()));
        c.selfTimes().forEach(sum -> sum.subtract(cut));
        c.waits().addSiblings(cut);
      }
      part.candidates.clear();
    }
    return all;
  }
}
