package io.rollscope.sdk.internal.send;

import io.rollscope.sdk.Deleted;
import io.rollscope.sdk.Signal;
import io.rollscope.sdk.Transport;
import io.rollscope.sdk.internal.encode.JsonSink;
import io.rollscope.sdk.internal.encode.LogWriting;
import io.rollscope.sdk.internal.encode.PointWriting;
import io.rollscope.sdk.internal.encode.ProtobufSink;
import io.rollscope.sdk.internal.encode.Request;
import io.rollscope.sdk.internal.encode.Sink;
import io.rollscope.sdk.internal.encode.SpanWriting;
import io.rollscope.sdk.internal.metric.Metric;
import io.rollscope.sdk.internal.metric.Point;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Buffer;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.Verdict;
import io.rollscope.sdk.internal.stack.StackRecord;
import io.rollscope.sdk.internal.stack.Stacks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is sent together: one request for each kind of thing, neither too long nor too large. */
final class Parcel {
  private static final int MAX_THINGS = Buffer.WORTH_SENDING;
  private static final int MAX_BYTES = 4 << 20;

  private final Book book;
  private final Request starts;
  private final Request spans;
  private final Request metrics;
  private final Request news;
  private final Request stackRecords;
  private final Stacks stacks;
  private final Map<Metric, List<Point>> points = new LinkedHashMap<>();
  private final List<Point> vitals = new ArrayList<>();
  private long verdicts;
  private long openSpans;
  private boolean full;

  /**
   * @param stacks to be told what is open, or null
   */
  Parcel(Book book, Transport.Form form, Object[] resource, Stacks stacks) {
    this.book = book;
    starts = new Request(Signal.LOGS, sink(form), resource);
    spans = new Request(Signal.TRACES, sink(form), resource);
    metrics = new Request(Signal.METRICS, sink(form), resource);
    news = new Request(Signal.LOGS, sink(form), resource);
    stackRecords = new Request(Signal.LOGS, sink(form), resource);
    this.stacks = stacks;
  }

  private static Sink sink(Transport.Form form) {
    return form == Transport.Form.JSON ? new JsonSink() : new ProtobufSink();
  }

  /** Takes as much as goes together; says how much. */
  int fill(Buffer buffer) {
    int taken = 0;
    verdicts = 0;
    full = false;
    while (!full) {
      Object thing = buffer.poll();
      if (thing == null) {
        break;
      }
      add(thing);
      taken++;
      full = taken == MAX_THINGS || Math.max(starts.size(), spans.size()) > MAX_BYTES;
    }
    return taken;
  }

  /** Counts what is left as dropped; says how much that is. */
  int giveUp(Buffer buffer) {
    int left = 0;
    for (Object thing = buffer.poll(); thing != null; thing = buffer.poll()) {
      left++;
      if (thing instanceof Point) {
        book.dropMetrics(1);
      } else if (thing instanceof RecordedSpan span && span.isRecording()) {
        book.dropStarts(1);
      } else {
        book.dropSpans(1);
      }
    }
    return left;
  }

  /** Whether more might have come. */
  boolean wasFull() {
    return full;
  }

  private void add(Object thing) {
    if (thing instanceof RecordedSpan span) {
      add(span);
    } else if (thing instanceof Verdict verdict) {
      LogWriting.verdict(news, verdict);
      verdicts++;
    } else {
      add((Point) thing);
    }
  }

  private void add(RecordedSpan span) {
    if (!span.isEndedOrElseTold()) {
      LogWriting.start(starts, span);
      openSpans++;
      if (stacks != null) {
        stacks.opened(span);
      }
      return;
    }
    book.cutAttributes(SpanWriting.write(spans, span));
    span.release();
    if (span.isCountedOpen()) {
      openSpans--;
      if (stacks != null) {
        stacks.ended(span);
      }
    }
  }

  void add(Point point) {
    points.computeIfAbsent(point.metric(), m -> new ArrayList<>()).add(point);
  }

  /** Like signs of life: they are not among what callers recorded. */
  void addVitals(List<Point> points) {
    vitals.addAll(points);
  }

  boolean isEmpty() {
    return starts.items() + spans.items() + news.items() == 0 && points.isEmpty();
  }

  /** How many records it holds, without signs of life. */
  long records() {
    long some = points.values().stream().mapToLong(List::size).sum();
    return starts.items() + spans.items() + verdicts + some;
  }

  /** A beat, or the last word. */
  void sign(boolean end, Deleted deleted) {
    LogWriting.sign(
        news,
        new LogWriting.Sign(
            end,
            book.clock().nowNs(),
            Math.max(0, openSpans - book.lostEnds()),
            book.dropped(),
            book.cutAttributes(),
            deleted));
  }

  void add(StackRecord stack) {
    LogWriting.stack(stackRecords, stack);
  }

  /** What the server asked for. */
  Request stackRecords() {
    return stackRecords;
  }

  Request starts() {
    return starts;
  }

  Request spans() {
    return spans;
  }

  /** Verdicts and signs of life. */
  Request news() {
    return news;
  }

  long verdicts() {
    return verdicts;
  }

  /** What the process says of itself; after the metrics. */
  Request vitals() {
    vitals.forEach(point -> PointWriting.write(metrics, point.metric(), List.of(point)));
    vitals.clear();
    return metrics;
  }

  /** Metrics, in as many requests as it takes. */
  void eachOfMetrics(Consumer<Request> send) {
    points.forEach(
        (metric, some) -> {
          PointWriting.write(metrics, metric, some);
          if (metrics.size() > MAX_BYTES) {
            send.accept(metrics);
          }
        });
    points.clear();
    if (metrics.items() > 0) {
      send.accept(metrics);
    }
  }
}
