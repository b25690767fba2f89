package io.rollscope.sdk.internal.span;

import io.rollscope.sdk.Dropped;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Where spans are recorded: what all spans of a process share. */
public final class Book {
  private static final String UNKNOWN = "unknown";
  private static final long MAX_LONG_TEXT = 64L << 20;

  final WallClock clock;
  final Values values;
  final boolean stackTraces;
  private final Buffer buffer;
  private final LongAdder droppedSpans = new LongAdder();
  private final LongAdder droppedStarts = new LongAdder();
  private final LongAdder droppedMetrics = new LongAdder();
  private final LongAdder lostEnds = new LongAdder();
  private final LongAdder cutAttributes = new LongAdder();
  private final Consumer<String> warning;

  /**
   * @param warning takes a warning, of equal ones only the first
   */
  public Book(
      WallClock clock,
      Buffer buffer,
      int maxText,
      int maxContent,
      boolean stackTraces,
      Consumer<String> warning) {
    this.warning = warning;
    this.clock = clock;
    this.buffer = buffer;
    this.values = new Values(maxText, maxContent, new TextBudget(MAX_LONG_TEXT));
    this.stackTraces = stackTraces;
  }

  public WallClock clock() {
    return clock;
  }

  /** Says once that somebody gave what makes no sense. */
  public void misuse(String what, Object given, String expected) {
    String value = given == null ? "null" : Values.cut(Values.string(given), Values.SHORT);
    warning.accept(what + ": " + value + " (expected: " + expected + ")");
  }

  /** The name that something gets, as OpenTelemetry's specification has it for none. */
  public String named(String what, String name) {
    if (name == null || name.isEmpty()) {
      misuse(what, name == null ? null : "\"\"", "a name");
      return UNKNOWN;
    }
    return name;
  }

  public void cutAttributes(long count) {
    if (count > 0) {
      cutAttributes.add(count);
    }
  }

  public long cutAttributes() {
    return cutAttributes.sum();
  }

  /** Whether there was room for the news that it began. */
  boolean began(RecordedSpan span) {
    if (buffer.offer(span)) {
      return true;
    }
    droppedStarts.increment();
    return false;
  }

  /** A span whose start is told already has ended. */
  void ended(RecordedSpan span) {
    if (!buffer.offer(span)) {
      span.release();
      droppedSpans.increment();
      if (span.isCountedOpen()) {
        lostEnds.increment();
      }
    }
  }

  /** A verdict that came after its session had ended. */
  public void add(Verdict verdict) {
    if (!buffer.offer(verdict)) {
      droppedSpans.increment();
    }
  }

  /** A point of a metric, as an object of the metrics' own. */
  public void addPoint(Object point) {
    if (!buffer.offer(point)) {
      droppedMetrics.increment();
    }
  }

  public void dropSpans(long count) {
    droppedSpans.add(count);
  }

  public void dropStarts(long count) {
    droppedStarts.add(count);
  }

  public void dropMetrics(long count) {
    droppedMetrics.add(count);
  }

  public Dropped dropped() {
    return new Dropped(droppedSpans.sum(), droppedStarts.sum(), droppedMetrics.sum());
  }

  /** Spans told as open whose end found no place. */
  public long lostEnds() {
    return lostEnds.sum();
  }
}
