package io.rollscope.server.tail;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.Containment;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.session.UndatedVerdict;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.otlp.ErrorWords;

/**
 * Makes OTLP spans of the session that is loaded. What lies inside what is told by time, because
 * the sources do not say. A session whose source says when it was submitted gets a span of kind
 * {@code session} around the others, which carries its fate.
 */
final class SpanMessages {
  /** Marks a span without length that stands for something that happened at an instant. */
  static final String POINT = "rollscope.point";

  /** The source's own word for the state of the session at that moment. */
  static final String SOURCE_STATUS = "xtuner.status";

  private final SpanTable table;
  private final SessionSpans spans;
  private final SessionIds ids;
  private final Containment containment;
  private SessionState state;
  private ByteString container;

  SpanMessages(SessionSpans spans, String run) {
    this.table = spans.table();
    this.spans = spans;
    this.ids = new SessionIds(spans, run);
    this.containment = new Containment(spans);
  }

  /** Looks at the session that was just loaded. */
  void begin() {
    ids.begin();
    containment.find();
    state = SessionState.of(spans);
    container = hasContainer() ? ids.container(submitted()) : ByteString.EMPTY;
  }

  boolean hasContainer() {
    return !table.isLane(spans.session()) && submitted() != Nanos.UNKNOWN;
  }

  private long submitted() {
    return table.submitted(spans.session());
  }

  /** The span around the session. */
  Span.Builder container() {
    Status status = state.status();
    boolean ended = !status.isUnfinished() && status != Status.LOST;
    long finalised = table.finalised(spans.session());
    boolean undated = ended && finalised == Nanos.UNKNOWN;
    long end = undated ? spans.latestTime() : ended ? finalised : Nanos.OPEN;
    Span.Builder span = span(container, ByteString.EMPTY, "session", submitted(), end);
    if (undated) {
      span.addAttributes(
          attribute(UndatedVerdict.ATTRIBUTE, b -> b.getValueBuilder().setBoolValue(true)));
    }
    coordinates(span, Kind.SESSION, state.at());
    // A session that runs is one whose spans are open; said explicitly it would stay so for ever.
    text(span, "rl.status", status == Status.RUNNING ? null : status.word());
    text(span, "rl.reason", state.reason());
    return span;
  }

  /** The i-th span, as it is now. */
  Span.Builder span(int i) {
    SpanName name = table.nameOf(spans.name(i));
    int around = containment.around(i);
    ByteString parent = around < 0 ? container : ids.span(around);
    Span.Builder span = span(ids.span(i), parent, name.raw(), spans.start(i), spans.end(i));
    coordinates(span, spans.kind(i), spans.at(i));
    if (GroupMark.isGroupSpan(name.raw())) {
      text(span, GroupMark.ATTRIBUTE, table.noteText(table.inferredGroup(spans.session())));
    }
    text(span, "rl.stage", name.stage().equals(name.raw()) ? null : name.stage());
    Outcome outcome = spans.outcome(i);
    if (outcome == Outcome.ERROR || outcome == Outcome.CANCELLED) {
      ErrorWords error = ErrorWords.of(spans.error(i), outcome);
      text(span, "error.type", error.type());
      text(span, "error.message", error.message());
      span.getStatusBuilder().setCode(StatusCode.STATUS_CODE_ERROR);
    }
    int end = spans.endRow(i);
    boolean measured = end >= 0 && RowKind.form(table.kind(end)) == RowKind.END;
    if (measured && table.extent(end) != Nanos.UNKNOWN) {
      number(span, "elapsed_s", Nanos.toSeconds(table.extent(end)));
    }
    return span;
  }

  /**
   * Something that happened, as a span without length. Of kind {@code task}, because that is no
   * work: it makes its session known and lasts, but enters no statistics.
   */
  Span.Builder point(int row) {
    String name = pointName(row);
    long time = table.time(row);
    Span.Builder span = span(ids.point(name, row), ByteString.EMPTY, name, time, time);
    coordinates(span, Kind.TASK, table.coordinatesOf(table.coordinates(row)));
    span.addAttributes(attribute(POINT, b -> b.getValueBuilder().setBoolValue(true)));
    return span;
  }

  /** Something that happened, as an event of a span. */
  Span.Event event(int row) {
    return Span.Event.newBuilder()
        .setName(pointName(row))
        .setTimeUnixNano(instant(table.time(row)))
        .build();
  }

  private String pointName(int row) {
    String raw = table.nameOf(table.name(row)).raw();
    return RowKind.form(table.kind(row)) == RowKind.END ? raw + ".end" : raw;
  }

  private Span.Builder span(ByteString id, ByteString parent, String name, long start, long end) {
    long from = instant(start);
    return Span.newBuilder()
        .setTraceId(ids.trace())
        .setSpanId(id)
        .setParentSpanId(parent)
        .setName(name)
        .setKind(Span.SpanKind.SPAN_KIND_INTERNAL)
        .setStartTimeUnixNano(from)
        .setEndTimeUnixNano(end == Nanos.OPEN ? 0 : Math.max(from, instant(end)));
  }

  /** 0 would mean that nothing is known: clocks that may begin there are put forward a little. */
  private long instant(long timeNs) {
    return Math.max(1, table.hasRelativeClock(spans.session()) ? timeNs + 1 : timeNs);
  }

  private void coordinates(Span.Builder span, Kind kind, Coordinates at) {
    int s = spans.session();
    text(span, "rl.kind", kind == Kind.PHASE ? null : kind.word());
    text(span, table.isLane(s) ? "rl.lane" : "rl.session.id", table.key(s));
    text(span, "rl.task.id", at.task() != null ? at.task() : state.at().task());
    text(span, "rl.task.name", at.taskName());
    number(span, "rl.train_step", at.trainStep());
    number(span, "rl.model_step", at.modelStep());
    number(span, "rl.future_step", at.futureStep());
    text(span, "rl.batch.id", at.batch());
    text(span, "rl.worker.role", at.worker().role());
    number(span, "rl.worker.rank", at.worker().rank());
    text(span, SOURCE_STATUS, at.sourceStatus());
  }

  /** Nothing for null. */
  private static void text(Span.Builder span, String key, String value) {
    if (value != null) {
      span.addAttributes(attribute(key, b -> b.getValueBuilder().setStringValue(value)));
    }
  }

  /** Nothing for null. */
  private static void number(Span.Builder span, String key, Long value) {
    if (value != null) {
      span.addAttributes(attribute(key, b -> b.getValueBuilder().setIntValue(value)));
    }
  }

  private static void number(Span.Builder span, String key, double value) {
    span.addAttributes(attribute(key, b -> b.getValueBuilder().setDoubleValue(value)));
  }

  private static KeyValue attribute(
      String key, java.util.function.Consumer<KeyValue.Builder> value) {
    KeyValue.Builder attribute = KeyValue.newBuilder().setKey(key);
    value.accept(attribute);
    return attribute.build();
  }
}
