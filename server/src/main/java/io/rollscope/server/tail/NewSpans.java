package io.rollscope.server.tail;

import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanTable;
import io.rollscope.formats.folder.RunData;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;

/**
 * Tells, of a growing table, the spans that are new since the last look: an open span when its
 * start was read, the closed one when its end was. What lies before a file's resume offset was told
 * in an earlier life and is told again only if it is still open, or if something new changes it.
 *
 * <p>Something that happened at an instant becomes an event of the session's span or of the span
 * around it when that closes; with none around it, a span without length.
 */
final class NewSpans {
  private static final int NOT_TOLD = -1;
  private static final int TOLD_OPEN = -2;

  /** Takes a span that a line of this file made known. */
  interface Receiver {
    void take(int file, boolean relativeClock, Span span);
  }

  private final SpanTable table;
  private final SessionSpans spans;
  private final SpanMessages messages;
  private final PointHosts hosts;
  private final IntToLongFunction resumeAt;
  private final LineAttributes lines;
  private final Receiver receiver;

  /** By the first row of a span: the row that ended it when it was told. */
  private final IntColumn told = new IntColumn(NOT_TOLD);

  private final BitSet containersTold = new BitSet();
  private final BitSet now = new BitSet();
  private int rowsSeen;
  private long retold;

  /**
   * @param resumeAt by number of the file: what lies before was told in an earlier life
   */
  NewSpans(RunData run, IntToLongFunction resumeAt, LineAttributes lines, Receiver receiver) {
    this.table = run.table();
    this.spans = new SessionSpans(table);
    this.messages = new SpanMessages(spans, run.id());
    this.hosts = new PointHosts(spans);
    this.resumeAt = resumeAt;
    this.lines = lines;
    this.receiver = receiver;
  }

  SpanTable table() {
    return table;
  }

  /**
   * Spans whose end is another now than when they were told: their files were read out of order.
   */
  long retold() {
    return retold;
  }

  /** The row that made a span known: of its start, else of its end. */
  static int firstRow(SessionSpans spans, int i) {
    return spans.startRow(i) >= 0 ? spans.startRow(i) : spans.endRow(i);
  }

  /**
   * Tells what was appended since the last call.
   *
   * @param progress is told of every session looked at, in rows
   */
  void tell(IntConsumer progress) {
    BitSet news = new BitSet(table.sessionCount());
    for (int row = rowsSeen; row < table.rows(); row++) {
      news.set(table.session(row));
    }
    for (int s = news.nextSetBit(0); s >= 0; s = news.nextSetBit(s + 1)) {
      tellSession(s);
      progress.accept(spans.rowCount());
    }
    rowsSeen = table.rows();
  }

  private void tellSession(int s) {
    spans.load(s);
    messages.begin();
    boolean disordered = isDisordered();
    now.clear();
    for (int i = 0; i < spans.count(); i++) {
      int first = firstRow(spans, i);
      int state = spans.isOpen(i) ? TOLD_OPEN : spans.endRow(i);
      int before = told.get(first);
      if (before != state) {
        told.set(first, state);
        retold += before >= 0 ? 1 : 0;
        now.set(i, isNew(first) || isNew(spans.endRow(i)) || isBegun(i) || disordered);
      }
    }
    Span.Builder container = newContainer();
    Map<Integer, List<Span.Event>> events = tellPoints(container);
    if (container != null) {
      send(table.newestRow(s), table.newestRow(s), container);
    }
    for (int i = now.nextSetBit(0); i >= 0; i = now.nextSetBit(i + 1)) {
      Span.Builder span = messages.span(i);
      span.addAllEvents(events.getOrDefault(i, List.of()));
      int made = isNew(spans.endRow(i)) ? spans.endRow(i) : firstRow(spans, i);
      int said = spans.endRow(i) >= 0 ? spans.endRow(i) : firstRow(spans, i);
      // Phases of a session that is written at once share its line, which the session's span has.
      send(made, messages.hasContainer() ? -1 : said, span);
    }
  }

  private boolean isNew(int row) {
    return row >= rowsSeen && table.offset(row) >= resumeAt.applyAsLong(table.file(row));
  }

  /** Whether it began and its end is still to come. A span told as a whole has none coming. */
  private boolean isBegun(int i) {
    return spans.isOpen(i) && RowKind.form(table.kind(firstRow(spans, i))) == RowKind.START;
  }

  /** Whether something new happened before something old of the same name. */
  private boolean isDisordered() {
    BitSet namesWithNews = new BitSet();
    for (int i = 0; i < spans.rowCount(); i++) {
      int row = spans.row(i);
      int form = RowKind.form(table.kind(row));
      if (form == RowKind.START || form == RowKind.END) {
        if (isNew(row)) {
          namesWithNews.set(table.name(row));
        } else if (namesWithNews.get(table.name(row))) {
          return true;
        }
      }
    }
    return false;
  }

  /** The session's own span if it is to be told now, else null. */
  private Span.Builder newContainer() {
    int s = spans.session();
    if (!messages.hasContainer() || containersTold.get(s)) {
      return null;
    }
    containersTold.set(s);
    return isNew(table.newestRow(s)) ? messages.container() : null;
  }

  /** Events of spans that are told now; what has no span around it is told by itself. */
  private Map<Integer, List<Span.Event>> tellPoints(Span.Builder container) {
    List<Integer> points = newPoints();
    if (points.isEmpty()) {
      return Map.of();
    }
    Map<Integer, List<Span.Event>> events = new HashMap<>();
    hosts.begin(i -> isBegun(i) || (now.get(i) && !spans.isOpen(i)));
    for (int row : points) {
      int host = hosts.at(table.time(row));
      if (container != null) {
        container.addEvents(messages.event(row));
      } else if (!messages.hasContainer()) {
        if (host >= 0 && spans.isOpen(host)) {
          continue; // It goes with the span when that closes.
        }
        if (host >= 0) {
          events.computeIfAbsent(host, h -> new ArrayList<>()).add(messages.event(row));
        } else if (isNew(row)) {
          send(row, row, messages.point(row));
        }
      }
      told.set(row, row);
    }
    return events;
  }

  /** Rows that are no part of a span and were not told, in order of time. */
  private List<Integer> newPoints() {
    List<Integer> points = new ArrayList<>(0);
    Set<Integer> ends = null;
    for (int k = 0; k < spans.rowCount(); k++) {
      int row = spans.row(k);
      int form = RowKind.form(table.kind(row));
      if (form == RowKind.END && ends == null) {
        ends = endRows();
      }
      boolean point = form == RowKind.POINT || (form == RowKind.END && !ends.contains(row));
      if (point && told.get(row) == NOT_TOLD) {
        points.add(row);
      }
    }
    return points;
  }

  private Set<Integer> endRows() {
    Set<Integer> rows = new HashSet<>(2 * spans.count());
    for (int i = 0; i < spans.count(); i++) {
      rows.add(spans.endRow(i));
    }
    return rows;
  }

  /**
   * @param made the row that made the span known
   * @param said the row whose line has more to say, or -1
   */
  private void send(int made, int said, Span.Builder span) {
    if (said >= 0) {
      lines.addTo(span, table.file(said), table.offset(said));
    }
    boolean relative = table.hasRelativeClock(table.session(made));
    receiver.take(table.file(made), relative, span.build());
  }
}
