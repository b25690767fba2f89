package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;

/** What a span is from its beginning on: ids, place, kind. */
public final class SpanOrigin {
  private final long traceHigh;
  private final long traceLow;
  private final long spanId = Ids.span();
  private final long parentId;
  private final TraceState traceState;
  private final Kind kind;
  private final SpanKind otelKind;
  private final Coordinates coordinates;
  private final Library library;
  private volatile SpanContext context;

  private SpanOrigin(
      long traceHigh, long traceLow, long parentId, TraceState traceState, Place place) {
    this.traceHigh = traceHigh;
    this.traceLow = traceLow;
    this.parentId = parentId;
    this.traceState = traceState;
    kind = place.kind();
    otelKind = place.otelKind();
    coordinates = place.coordinates();
    library = place.library();
  }

  /** What is known before there are ids. */
  record Place(Kind kind, SpanKind otelKind, Coordinates coordinates, Library library) {}

  static SpanOrigin root(Place place) {
    return new SpanOrigin(Ids.traceHigh(), Ids.traceLow(), 0, TraceState.getDefault(), place);
  }

  static SpanOrigin under(SpanOrigin parent, Place place) {
    return new SpanOrigin(
        parent.traceHigh, parent.traceLow, parent.spanId, parent.traceState, place);
  }

  static SpanOrigin under(SpanContext parent, Place place) {
    String trace = parent.getTraceId();
    return new SpanOrigin(
        Long.parseUnsignedLong(trace, 0, 16, 16),
        Long.parseUnsignedLong(trace, 16, 32, 16),
        Long.parseUnsignedLong(parent.getSpanId(), 16),
        parent.getTraceState(),
        place);
  }

  public long traceHigh() {
    return traceHigh;
  }

  public long traceLow() {
    return traceLow;
  }

  public long spanId() {
    return spanId;
  }

  /** 0 for a root. */
  public long parentId() {
    return parentId;
  }

  public TraceState traceState() {
    return traceState;
  }

  public Kind kind() {
    return kind;
  }

  public SpanKind otelKind() {
    return otelKind;
  }

  public Coordinates coordinates() {
    return coordinates;
  }

  public Library library() {
    return library;
  }

  /** Ids as text are made when somebody asks; most spans end before anybody does. */
  public SpanContext context() {
    SpanContext known = context;
    if (known == null) {
      known =
          SpanContext.create(
              TraceId.fromLongs(traceHigh, traceLow),
              SpanId.fromLong(spanId),
              TraceFlags.getSampled(),
              traceState);
      context = known;
    }
    return known;
  }
}
