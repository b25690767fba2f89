package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.RunData;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the spans of one run are in its table. */
final class RunTable {
  private static final int NONE = -1;

  private final SpanColumns spans;
  private final RunData run;
  private final SpanTable table;

  /** By row: the span it shows; -1 for a parent that is only inferred. */
  private final IntColumn shown = new IntColumn(NONE);

  private final IntColumn names = new IntColumn(NONE);
  private final IntColumn places = new IntColumn(NONE);
  private final IntColumn notes = new IntColumn(NONE);
  private final BitSet touched = new BitSet();

  /** Verdicts that only name their session. */
  final Map<Integer, ReadVerdict> named = new HashMap<>();

  /** When something last happened in the run. */
  long newestNs = Nanos.UNKNOWN;

  RunTable(SpanColumns spans, RunData run) {
    this.spans = spans;
    this.run = run;
    this.table = run.table();
  }

  SpanTable table() {
    return table;
  }

  String run() {
    return run.id();
  }

  /** Number of the session or lane. */
  int number(String id, boolean lane) {
    return lane ? table.laneNumber(id) : table.sessionNumber(id);
  }

  /** Number of a session that has spans, or -1. */
  int find(String session) {
    int s = table.findSession(session);
    return s < 0 || table.isLane(s) ? NONE : s;
  }

  void touch(int session) {
    touched.set(session);
  }

  /**
   * Shows a span.
   *
   * @param place where it belongs
   * @param lostNs when it ended if its process is dead, else {@link Nanos#OPEN}
   */
  int add(int span, int session, int place, long lostNs) {
    boolean lost = lostNs != Nanos.OPEN;
    int row =
        table.add(
            session,
            RowKind.of(RowKind.SPAN, lost ? Outcome.LOST : spans.outcome(span), spans.kind(span)),
            name(spans.name(span)),
            spans.start(span),
            lost ? Math.max(spans.start(span), lostNs) : spans.end(span),
            place,
            spans.error(span) < 0 ? NONE : note(spans.error(span)),
            spans.origin(span),
            spans.spanId(span),
            spans.parentId(span));
    table.tokens(row, spans.inputTokens(span), spans.outputTokens(span));
    table.queued(row, spans.queuedNs(span));
    shown.set(row, span);
    spans.labels(span).counters().forEach(run::count);
    newestNs = Math.max(newestNs, spans.heard(span));
    touch(session);
    return row;
  }

  /** Shows the parent of a span, which must have begun although nothing was heard of it. */
  int addInferred(int child, int session) {
    int row =
        table.add(
            session,
            RowKind.of(RowKind.SPAN, Outcome.OPEN, Kind.PHASE),
            table.nameNumber(SpanName.NOT_YET_SEEN),
            spans.start(child),
            Nanos.OPEN,
            place(spans.place(child)),
            NONE,
            spans.origin(child),
            spans.parentId(child),
            0);
    touch(session);
    return row;
  }

  void remove(int row) {
    touch(table.session(row));
    if (shown.get(row) >= 0) {
      spans.labels(shown.get(row)).counters().forEach((name, n) -> run.count(name, -n));
      shown.set(row, NONE);
    }
    table.remove(row);
  }

  private int name(int id) {
    if (names.get(id) < 0) {
      names.set(id, table.nameNumber(spans.names.get(id)));
    }
    return names.get(id);
  }

  /**
   * Where a span belongs by itself.
   *
   * @param batchOf the span whose batch is its own, or -1
   */
  int place(int span, int batchOf) {
    if (batchOf < 0 || batchOf == span) {
      return place(spans.place(span));
    }
    Coordinates at = spans.places.get(spans.place(batchOf));
    return table.placeNumber(spans.places.get(spans.place(span)).inBatchOf(at));
  }

  private int place(int id) {
    if (places.get(id) < 0) {
      places.set(id, table.placeNumber(spans.places.get(id)));
    }
    return places.get(id);
  }

  private int note(int id) {
    if (notes.get(id) < 0) {
      notes.set(id, table.noteNumber(spans.errors.text(id)));
    }
    return notes.get(id);
  }

  /** Sums up the sessions that changed. */
  void describe(Map<Integer, ReadVerdict> ofSpans) {
    List<ReadSpan> all = new ArrayList<>();
    for (int s = touched.nextSetBit(0); s >= 0; s = touched.nextSetBit(s + 1)) {
      if (!table.isLane(s)) {
        describe(s, all, ofSpans);
      }
    }
    touched.clear();
  }

  private void describe(int s, List<ReadSpan> all, Map<Integer, ReadVerdict> ofSpans) {
    all.clear();
    ReadVerdict verdict = named.get(s);
    boolean inferred = false;
    int oldest = NONE;
    for (int row = table.newestRow(s); row >= 0; row = table.previous(row)) {
      int span = shown.get(row);
      if (span < 0) {
        inferred = true;
        continue;
      }
      all.add(spans.get(span));
      SpanLabels labels = spans.labels(span);
      if (labels.byTime()) {
        table.nestByTime(s);
      }
      if (labels.group() != null) {
        table.inferGroup(s, labels.group(), spans.start(span));
      }
      ReadVerdict decided = ofSpans.isEmpty() ? null : ofSpans.get(span);
      if (decided != null) {
        verdict = verdict == null ? decided : verdict.and(decided);
      }
      if (oldest < 0 || spans.heard(span) < spans.heard(oldest)) {
        oldest = span;
      }
    }
    newestNs = verdict == null ? newestNs : Math.max(newestNs, verdict.decidedNs());
    SessionSummary<ReadSpan> said = SessionSummary.of(all, verdict, inferred);
    Coordinates at =
        new Coordinates(
            said.batch(),
            said.trainStep(),
            said.modelStep(),
            said.futureStep(),
            said.task(),
            said.taskName(),
            said.worker(),
            said.sourceStatus());
    place(s, at);
    table.describe(
        s,
        new SessionFacts(
            table.key(s),
            spans.traceId(spans.trace(oldest)),
            said.task(),
            null,
            at,
            said.submittedNs(),
            said.finalisedNs(),
            said.verdict(),
            said.reason(),
            said.rewardAndTokens(),
            false));
  }

  /** Spans are of the batch that any of their session names (contracts.md 2.13, 2.14). */
  private void place(int s, Coordinates session) {
    int own = NONE;
    int place = NONE;
    for (int row = table.newestRow(s); row >= 0; row = table.previous(row)) {
      int span = shown.get(row);
      if (span < 0) {
        Worker worker = table.coordinatesOf(table.coordinates(row)).worker();
        Coordinates nothing =
            new Coordinates(null, null, null, null, null, null, worker, null).in(session);
        table.place(row, table.placeNumber(nothing));
        continue;
      }
      if (spans.place(span) != own) {
        own = spans.place(span);
        place = table.placeNumber(spans.places.get(own).in(session));
      }
      table.place(row, place);
    }
  }
}
