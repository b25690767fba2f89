package io.rollscope.sdk;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.Lanes;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.metric.MetricKind;
import io.rollscope.sdk.internal.metric.Metrics;
import io.rollscope.sdk.internal.otel.RollscopeTelemetry;
import io.rollscope.sdk.internal.send.Sender;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Coordinates;
import io.rollscope.sdk.internal.span.Kind;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.Spans;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@link Rollscope} does when it is on. */
final class Recorder {
  private final Parts parts;
  private final Spans spans;
  private final Lanes lanes;
  private final OpenTelemetry openTelemetry;
  private final Thread atExit = new Thread(this::closeNow, "rollscope-exit");
  private boolean closed;

  /**
   * What it is made of.
   *
   * @param variables for child processes
   * @param onClose what else has to go
   */
  record Parts(
      Book book,
      Metrics metrics,
      Sender sender,
      Warnings warnings,
      Context ambient,
      Map<String, String> variables,
      Duration deadline,
      Runnable onClose) {}

  Recorder(Parts parts) {
    this.parts = parts;
    spans = new Spans(parts.book(), parts.ambient());
    lanes = new Lanes(parts.warnings());
    openTelemetry = new RollscopeTelemetry(spans);
    Runtime.getRuntime().addShutdownHook(atExit);
    parts.sender().start();
  }

  Batch batch(Long trainStep, Long modelStep, Long futureStep, String id) {
    Coordinates place = new Coordinates(trainStep, modelStep, futureStep, id, null, null, null);
    RecordedSpan span = spans.root(Kind.BATCH, "batch", place);
    return new Batch(span, place.storeIn(current().with(span)));
  }

  Task task(String id, String name) {
    Context around = current();
    Coordinates place = Coordinates.in(around).withSession(null).withTask(id, name);
    RecordedSpan span = spans.root(Kind.TASK, "task", place);
    return new Task(span, place.storeIn(around.with(span)));
  }

  Session session(String id) {
    Context around = current();
    Coordinates place = Coordinates.in(around).withSession(id);
    RecordedSpan span = spans.root(Kind.SESSION, "session", place);
    Coordinates inside = id != null ? place : place.withSession(span.getSpanContext().getTraceId());
    return new Session(span, inside.storeIn(around.with(span)), parts.book());
  }

  Phase phase(String name) {
    return phase(name, current());
  }

  Phase phase(String name, Context context) {
    Context around = context == null ? current() : context;
    RecordedSpan span = spans.phase(name, around);
    return new Phase(span, around.with(span));
  }

  State state(String name, String lane, Long trainStep) {
    String where = lane == null || lane.isEmpty() ? "main" : lane;
    String what = name == null || name.isEmpty() ? "(unnamed)" : name;
    Long step = trainStep != null ? trainStep : Coordinates.in(current()).trainStep();
    Lanes.Entered entered = lanes.enter(where, what);
    Coordinates place = new Coordinates(step, null, null, null, null, null, null);
    RecordedSpan span = spans.root(Kind.STATE, what, place);
    span.setAttribute("rl.lane", where);
    span.setAttribute("rl.state", what);
    span.setAttribute("rl.state.overlaps", entered.other());
    return new State(span, lanes, entered.entry());
  }

  Counter counter(String name) {
    return new Counter(parts.metrics().find(name, MetricKind.COUNTER), List.of());
  }

  Gauge gauge(String name) {
    return new Gauge(parts.metrics().find(name, MetricKind.GAUGE), List.of());
  }

  /**
   * @param bounds or null for the usual ones
   */
  Histogram histogram(String name, double[] bounds) {
    Metrics metrics = parts.metrics();
    return new Histogram(
        bounds == null ? metrics.find(name, MetricKind.HISTOGRAM) : metrics.histogram(name, bounds),
        List.of());
  }

  Context current() {
    return spans.current();
  }

  static void putVariable(Map<String, String> variables, String key, String value) {
    variables.put(key.toUpperCase(Locale.ROOT), value);
  }

  Map<String, String> variables() {
    return parts.variables();
  }

  OpenTelemetry openTelemetry() {
    return openTelemetry;
  }

  Dropped dropped() {
    Book book = parts.book();
    return new Dropped(book.droppedSpans(), book.droppedStarts(), book.droppedMetrics());
  }

  boolean flush(Duration patience) {
    return parts.sender().flush(patience);
  }

  void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook may run besides: the second to come finds it closed.
    }
    closeNow();
  }

  private synchronized void closeNow() {
    if (!closed) {
      closed = true;
      parts.sender().close(parts.deadline());
      parts.onClose().run();
    }
  }
}
