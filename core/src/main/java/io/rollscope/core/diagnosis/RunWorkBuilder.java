package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.ScopeFilter;
import io.rollscope.core.view.Selection;
import io.rollscope.core.view.SessionPass;
import io.rollscope.core.view.TableGroups;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the work of a run out of its table. */
final class RunWorkBuilder {
  private final SpanTable table;
  private final ScopeFilter filter;
  private final Accounting accounting = new Accounting();
  private final CallColumns calls = new CallColumns();
  private final List<SessionWork> sessions = new ArrayList<>();
  private final Map<Long, Integer> byId = new HashMap<>();
  private int[] callOf = new int[64];

  private RunWorkBuilder(SpanTable table, ScopeFilter filter) {
    this.table = table;
    this.filter = filter;
  }

  static RunWork of(SpanTable table, Selection scope) {
    ScopeFilter filter = new ScopeFilter(table, scope);
    RunWorkBuilder all =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new RunWorkBuilder(table, filter),
            RunWorkBuilder::addSession,
            RunWorkBuilder::addAll);
    return new RunWork(table, all.calls, all.sessions, filter.now());
  }

  private void addSession(SessionSpans spans) {
    int s = spans.session();
    boolean lane = table.isLane(s);
    SessionState state = SessionState.of(spans);
    boolean in =
        lane
            ? spans.rowCount() > 0 && filter.includesLanes()
            : filter.includes(spans, state.status());
    if (!in) {
      return;
    }
    Window window = Window.of(spans, state.status(), filter.asOf(s));
    accounting.account(spans, window.from(), window.to(), window.finalised());
    int first = calls.count();
    addCalls(spans);
    sessions.add(
        new SessionWork(
            s,
            table.key(s),
            lane,
            state.status(),
            state.reason(),
            lane ? null : TableGroups.of(table, s, state.at()),
            table.taskId(s) < 0 ? state.at().task() : table.task(s),
            state.at().taskName(),
            Scope.batchOf(state.at()),
            state.at().trainStep(),
            state.at().worker(),
            window.from(),
            window.to(),
            accounting.queue(),
            accounting.workEnd(),
            accounting.ownEnd(),
            accounting.barrier(),
            first,
            calls.count() - first));
  }

  /** In order of their starts, a call before those inside it. */
  private void addCalls(SessionSpans spans) {
    int first = calls.count();
    int[] order = spans.drawOrder(filter.asOf(spans.session()));
    if (callOf.length < spans.count()) {
      callOf = new int[Math.max(spans.count(), callOf.length * 2)];
    }
    Arrays.fill(callOf, 0, spans.count(), RunWork.NONE);
    byId.clear();
    for (int i = 0; spans.hasParents() && i < spans.count(); i++) {
      if (spans.spanId(i) != 0) {
        byId.putIfAbsent(spans.spanId(i), i);
      }
    }
    for (int i : order) {
      if (spans.isWork(i)) {
        callOf[i] =
            calls.add(
                spans.session(),
                spans.name(i),
                rowOf(spans, i),
                spans.start(i),
                spans.end(i),
                accounting.self(i),
                spans.outcome(i));
      }
    }
    if (byId.isEmpty()) {
      nestByTime(first);
    } else {
      nestById(spans);
    }
  }

  /** The row that tells most of a span: its end, unless only its start says where it ran. */
  private int rowOf(SessionSpans spans, int i) {
    int end = spans.endRow(i);
    int start = spans.startRow(i);
    if (end < 0 || start < 0 || end == start) {
      return end < 0 ? start : end;
    }
    boolean known = !workerOf(end).equals(Worker.UNKNOWN) || workerOf(start).equals(Worker.UNKNOWN);
    return known ? end : start;
  }

  private Worker workerOf(int row) {
    return table.coordinatesOf(table.coordinates(row)).worker();
  }

  /** The call around a span is the nearest above it that is work: containers are looked through. */
  private void nestById(SessionSpans spans) {
    for (int i = 0; i < spans.count(); i++) {
      if (callOf[i] < 0) {
        continue;
      }
      Integer up = byId.get(spans.parentId(i));
      for (int hops = 0; up != null && callOf[up] < 0 && hops < spans.count(); hops++) {
        up = byId.get(spans.parentId(up));
      }
      if (up != null && callOf[up] >= 0 && up != i) {
        calls.parent(callOf[i], callOf[up]);
      }
    }
  }

  /** Without parent ids, of the calls that begin no later and end no earlier the innermost. */
  private void nestByTime(int first) {
    int[] around = new int[calls.count() - first];
    int depth = 0;
    for (int call = first; call < calls.count(); call++) {
      while (depth > 0 && calls.end(around[depth - 1]) <= calls.start(call)) {
        depth--;
      }
      for (int k = depth - 1; k >= 0; k--) {
        if (calls.end(around[k]) >= calls.end(call)) {
          calls.parent(call, around[k]);
          break;
        }
      }
      around[depth++] = call;
    }
  }

  private void addAll(RunWorkBuilder other) {
    int shift = calls.count();
    calls.addAll(other.calls);
    for (SessionWork one : other.sessions) {
      sessions.add(shifted(one, shift));
    }
  }

  private static SessionWork shifted(SessionWork one, int calls) {
    return new SessionWork(
        one.number(),
        one.id(),
        one.lane(),
        one.status(),
        one.reason(),
        one.group(),
        one.task(),
        one.taskName(),
        one.batch(),
        one.step(),
        one.worker(),
        one.fromNs(),
        one.toNs(),
        one.queueNs(),
        one.workEndNs(),
        one.ownEndNs(),
        one.barrierNs(),
        one.firstCall() + calls,
        one.calls());
  }
}
