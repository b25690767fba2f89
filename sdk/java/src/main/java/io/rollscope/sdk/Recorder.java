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

  /** Says once that a call makes no sense: nothing is thrown into a training. */
  void misuse(String what, Object given, String expected) {
    parts.book().misuse(what, given, expected);
  }

  Batch batch(Long trainStep, Long modelStep, Long futureStep, String id) {
    Coordinates place = new Coordinates(trainStep, modelStep, futureStep, id, null, null, null);
    RecordedSpan span = spans.root(Kind.BATCH, "batch", place);
    return new Batch(span, place.storeIn(current().with(span)), this);
  }

  Batch batchById(String id) {
    if (id == null || id.isEmpty()) {
      misuse("batch", id, "an id, or a training step");
    }
    return batch(null, null, null, id);
  }

  Task task(String id, String name) {
    return task(id, name, current());
  }

  Task task(String id, String name, Context around) {
    if (id == null || id.isEmpty()) {
      misuse("task", id, "an id");
    }
    Coordinates place = Coordinates.in(around).withSession(null).withTask(id, name);
    RecordedSpan span = spans.root(Kind.TASK, "task", place);
    return new Task(span, place.storeIn(around.with(span)), this);
  }

  Session session(String id) {
    return session(id, current());
  }

  Session session(String id, Context around) {
    Coordinates place = Coordinates.in(around).withSession(id);
    RecordedSpan span = spans.root(Kind.SESSION, "session", place);
    Coordinates inside = id != null ? place : place.withSession(span.getSpanContext().getTraceId());
    return new Session(span, inside.storeIn(around.with(span)), this);
  }

  Phase phase(String name) {
    return phase(name, current());
  }

  Phase phase(String name, Context context) {
    if (context == null) {
      misuse("phase " + name, null, "the context of another phase");
    }
    Context around = context == null ? current() : context;
    RecordedSpan span = spans.phase(name, around);
    return new Phase(span, around.with(span), this);
  }

  void setTokens(RecordedSpan span, long input, long output) {
    if (areTokens(input, output)) {
      span.setAttribute(Session.INPUT_TOKENS, input);
      span.setAttribute(Session.OUTPUT_TOKENS, output);
    }
  }

  boolean areTokens(long input, long output) {
    boolean counts = input >= 0 && output >= 0;
    if (!counts) {
      misuse("tokens", input + ", " + output, "0 or more");
    }
    return counts;
  }

  Book book() {
    return parts.book();
  }

  State state(String name, String lane, Long trainStep) {
    String where = lane == null || lane.isEmpty() ? "main" : lane;
    String what = parts.book().named("state", name);
    Long step = trainStep != null ? trainStep : Coordinates.in(current()).trainStep();
    Lanes.Entered entered = lanes.enter(where, what);
    Coordinates place = new Coordinates(step, null, null, null, null, null, null);
    RecordedSpan span = spans.root(Kind.STATE, what, place);
    span.setAttribute("rl.lane", where);
    span.setAttribute("rl.state", what);
    span.setAttribute("rl.state.overlaps", entered.other());
    return new State(span, lanes, entered.entry(), this);
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
    return parts.book().dropped();
  }

  Stats stats() {
    long sent = parts.sender().sent();
    long dropped = dropped().sum();
    long queued = parts.sender().queued();
    return new Stats(
        sent + dropped + queued,
        sent,
        dropped,
        queued,
        parts.book().cutAttributes(),
        parts.sender().deleted());
  }

  boolean flush(Duration patience) {
    if (patience == null) {
      misuse("flush", null, "how long it may take");
    }
    return parts.sender().flush(patience == null ? parts.deadline() : patience);
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
