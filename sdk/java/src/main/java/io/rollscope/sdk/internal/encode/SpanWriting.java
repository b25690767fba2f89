package io.rollscope.sdk.internal.encode;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceState;
import io.rollscope.sdk.internal.span.AttributeList;
import io.rollscope.sdk.internal.span.Coordinates;
import io.rollscope.sdk.internal.span.Extras;
import io.rollscope.sdk.internal.span.Kind;
import io.rollscope.sdk.internal.span.Link;
import io.rollscope.sdk.internal.span.Moment;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.SpanOrigin;
import io.rollscope.sdk.internal.span.Values;

/** Writes spans that have ended. */
public final class SpanWriting {
  private static final String KIND = "rl.kind";

  private SpanWriting() {}

  /** Writes one; says how many of its attributes were cut. */
  public static int write(Request request, RecordedSpan span) {
    SpanOrigin origin = span.origin();
    Sink out = request.next(origin.library());
    out.openElement(Request.ITEMS);
    out.id(1, "traceId", origin.traceHigh(), origin.traceLow());
    out.id(2, "spanId", origin.spanId());
    traceState(out, origin.traceState());
    if (origin.parentId() != 0) {
      out.id(4, "parentSpanId", origin.parentId());
    }
    out.text(5, "name", Values.cut(span.name(), AttributeWriting.MAX_NAME));
    out.int32(6, "kind", origin.otelKind().ordinal() + 1);
    out.fixed64(7, "startTimeUnixNano", span.startNs());
    out.fixed64(8, "endTimeUnixNano", span.endNs());
    AttributeList attributes = span.attributes();
    out.openList("attributes");
    AttributeWriting writing = new AttributeWriting(out, 9);
    place(writing, origin, attributes.entries(), attributes.size());
    writing.all(attributes.entries(), attributes.size());
    writing.one("rollscope.cut", attributes.cutText());
    out.closeList();
    count(out, 10, "droppedAttributesCount", attributes.left());
    Extras extras = span.extras();
    if (extras != null) {
      moments(out, extras);
      links(out, extras);
      status(out, extras);
    }
    out.fixed32(16, "flags", 1);
    out.close();
    return attributes.cut();
  }

  /** What it is and where it belongs, unless the caller said so. */
  static void place(AttributeWriting out, SpanOrigin origin, Object[] own, int size) {
    Kind kind = origin.kind();
    boolean said =
        AttributeWriting.has(own, size, KIND)
            || kind == Kind.OP && AttributeWriting.has(own, size, Coordinates.SESSION);
    if (!said) {
      out.one(KIND, kind.word());
    }
    Coordinates coordinates = origin.coordinates();
    if (coordinates.isUnknown()) {
      return;
    }
    place(out, own, size, Coordinates.TRAIN_STEP, coordinates.trainStep());
    place(out, own, size, Coordinates.MODEL_STEP, coordinates.modelStep());
    place(out, own, size, Coordinates.FUTURE_STEP, coordinates.futureStep());
    place(out, own, size, Coordinates.BATCH, coordinates.batch());
    place(out, own, size, Coordinates.TASK, coordinates.task());
    place(out, own, size, Coordinates.TASK_NAME, coordinates.taskName());
    if (kind == Kind.SESSION) {
      place(out, own, size, Coordinates.SESSION, coordinates.session());
    }
  }

  private static void place(
      AttributeWriting out, Object[] own, int size, String key, Object value) {
    if (value != null && !AttributeWriting.has(own, size, key)) {
      out.one(key, value);
    }
  }

  private static void traceState(Sink out, TraceState state) {
    if (state.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    state.forEach((k, v) -> text.append(text.isEmpty() ? "" : ",").append(k).append('=').append(v));
    out.text(3, "traceState", text.toString());
  }

  private static void moments(Sink out, Extras extras) {
    out.openList("events");
    for (Moment moment : extras.moments()) {
      out.openElement(11);
      out.fixed64(1, "timeUnixNano", moment.timeNs());
      out.text(2, "name", Values.cut(moment.name(), AttributeWriting.MAX_NAME));
      attributes(out, 3, moment.attributes());
      count(out, 4, "droppedAttributesCount", moment.attributes().left());
      out.close();
    }
    out.closeList();
    count(out, 12, "droppedEventsCount", extras.momentsLeft());
  }

  private static void links(Sink out, Extras extras) {
    out.openList("links");
    for (Link link : extras.links()) {
      SpanContext target = link.target();
      String trace = target.getTraceId();
      out.openElement(13);
      out.id(
          1,
          "traceId",
          Long.parseUnsignedLong(trace, 0, 16, 16),
          Long.parseUnsignedLong(trace, 16, 32, 16));
      out.id(2, "spanId", Long.parseUnsignedLong(target.getSpanId(), 16));
      traceState(out, target.getTraceState());
      attributes(out, 4, link.attributes());
      out.close();
    }
    out.closeList();
    count(out, 14, "droppedLinksCount", extras.linksLeft());
  }

  private static void status(Sink out, Extras extras) {
    if (extras.status() == StatusCode.UNSET) {
      return;
    }
    out.open(15, "status");
    if (!extras.statusText().isEmpty()) {
      out.text(2, "message", extras.statusText());
    }
    out.int32(3, "code", extras.status() == StatusCode.OK ? 1 : 2);
    out.close();
  }

  private static void attributes(Sink out, int field, AttributeList attributes) {
    out.openList("attributes");
    new AttributeWriting(out, field).all(attributes.entries(), attributes.size());
    out.closeList();
  }

  private static void count(Sink out, int field, String name, int count) {
    if (count > 0) {
      out.int32(field, name, count);
    }
  }
}
