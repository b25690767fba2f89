package io.rollscope.formats.chrome;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.stats.IndexSort;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Draws one session after another as nestable asynchronous events: the session is the outermost
 * slice, its spans lie inside by time. Spans that overlap without nesting go to further rows, each
 * with an id of its own, because the events of one id must open and close like brackets.
 */
final class SessionTrack {
  private static final int SESSION = -1;
  private static final int ROW = -2;

  private final SessionSpans spans;
  private final SpanTable table;
  private final EventList events;

  private int pid;
  private long base;
  private long now;
  private SessionState state;
  private String category;
  private int openRows;
  private int[] order = new int[64];
  private long slices;
  private long points;

  SessionTrack(SessionSpans spans, EventList events) {
    this.spans = spans;
    this.table = spans.table();
    this.events = events;
  }

  /**
   * Draws the session that is loaded.
   *
   * @param base the moment that is time 0
   * @param now until when open spans are drawn
   */
  void write(int pid, long base, long now) throws IOException {
    this.pid = pid;
    this.base = base;
    this.now = now;
    state = SessionState.of(spans);
    category = table.isLane(spans.session()) ? "lane" : "session";
    openRows = 1;
    int count = selectSpans();
    SessionExtent extent = SessionExtent.of(spans);
    begin(SESSION, 0, extent.first());
    try {
      writeInside(count);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    long end = end(extent, count);
    for (int row = openRows - 1; row > 0; row--) {
      end(ROW, row, end);
    }
    end(SESSION, 0, end);
  }

  /** The spans in the order in which they open. The session's own span is the outermost slice. */
  private int selectSpans() {
    if (order.length < spans.count()) {
      order = new int[Math.max(spans.count(), order.length * 2)];
    }
    int count = 0;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.kind(i) != Kind.SESSION && !spans.isInferred(i)) {
        order[count++] = i;
      }
    }
    IndexSort.sort(
        order,
        count,
        (a, b) ->
            spans.start(a) != spans.start(b)
                ? spans.start(a) < spans.start(b)
                : spans.end(a, now) > spans.end(b, now));
    return count;
  }

  private long end(SessionExtent extent, int count) {
    long end = isOpen() ? Math.max(extent.last(), now) : extent.last();
    for (int i = 0; i < count; i++) {
      end = Math.max(end, spans.end(order[i], now));
    }
    return end;
  }

  private boolean isOpen() {
    return !table.isLane(spans.session()) && state.status().isUnfinished();
  }

  private void writeInside(int count) throws IOException {
    Rows rows = new Rows((row, slice) -> endUnchecked(slice, row));
    int nextPoint = 0;
    for (int k = 0; k < count; k++) {
      int i = order[k];
      nextPoint = writePoints(rows, nextPoint, spans.start(i));
      int row = rows.place(spans.start(i), spans.end(i, now), 0, i);
      if (row == openRows) {
        begin(ROW, row, spans.start(i));
        openRows++;
      }
      begin(i, row, spans.start(i));
    }
    writePoints(rows, nextPoint, Long.MAX_VALUE);
    rows.closeUntil(Long.MAX_VALUE);
  }

  /** Writes the points before this time, beginning with a row; returns where to go on. */
  private int writePoints(Rows rows, int from, long before) throws IOException {
    int i = from;
    for (; i < spans.rowCount() && table.time(spans.row(i)) < before; i++) {
      int row = spans.row(i);
      if (RowKind.form(table.kind(row)) == RowKind.POINT) {
        rows.closeUntil(table.time(row) - 1);
        points++;
        SpanName name = table.nameOf(table.name(row));
        JsonText json = event('n', name.stage(), 0, table.time(row));
        arguments(json, name, table.coordinatesOf(table.coordinates(row)));
        json.raw("}}");
      }
    }
    return i;
  }

  private void begin(int slice, int row, long time) throws IOException {
    JsonText json = event('b', title(slice, row), row, time);
    if (slice == ROW) {
      json.raw(", \"args\": {\"session\": ").string(table.key(spans.session()));
    } else if (slice == SESSION) {
      slices++;
      arguments(json, null, state.at());
      optional(json, "source_status", state.sourceStatus());
      optional(json, "reason", state.reason());
      optional(json, "outcome", isOpen() ? Outcome.OPEN.word() : null);
    } else {
      slices++;
      arguments(json, table.nameOf(spans.name(slice)), spans.at(slice));
      Outcome outcome = spans.outcome(slice);
      optional(json, "outcome", outcome == Outcome.OK ? null : outcome.word());
      optional(json, "error", spans.error(slice));
    }
    json.raw("}}");
  }

  private void endUnchecked(int slice, int row) {
    try {
      end(slice, row, spans.end(slice, now));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(int slice, int row, long time) throws IOException {
    event('e', title(slice, row), row, time).raw("}");
  }

  private String title(int slice, int row) {
    return switch (slice) {
      case SESSION -> table.key(spans.session());
      case ROW -> table.key(spans.session()) + " (" + (row + 1) + ")";
      default -> spans.stage(slice);
    };
  }

  private JsonText event(char phase, String name, int row, long time) throws IOException {
    JsonText json = events.next().raw("{\"name\": ").string(name);
    json.raw(", \"cat\": \"").raw(category).raw("\", \"ph\": \"").raw(String.valueOf(phase));
    json.raw("\", \"id\": \"s").number(spans.session());
    if (row > 0) {
      json.raw("/").number(row + 1);
    }
    json.raw("\", \"pid\": ").number(pid).raw(", \"tid\": ").number(pid);
    return json.raw(", \"ts\": ").thousandths(time - base);
  }

  /** Whose slice it is; the bracket stays open. */
  private void arguments(JsonText json, SpanName name, Coordinates at) {
    json.raw(", \"args\": {\"session\": ").string(table.key(spans.session()));
    optional(json, "task", at.task() != null ? at.task() : state.at().task());
    optional(json, "task_name", at.taskName());
    if (name != null) {
      optional(json, "stage", name.stage());
      optional(json, "raw_name", name.raw());
    }
    if (category.equals("session")) {
      optional(json, "status", state.status().word());
    }
    if (at.trainStep() != null) {
      json.raw(", \"train_step\": ").number(at.trainStep());
    }
    optional(json, "worker", at.worker().label());
  }

  private static void optional(JsonText json, String key, String value) {
    if (value != null) {
      json.raw(", \"").raw(key).raw("\": ").string(value);
    }
  }

  long slices() {
    return slices;
  }

  long points() {
    return points;
  }
}
