package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;

/** Collects what OpenTelemetry's API lets callers say of a span before it begins. */
public final class OtelSpanBuilder implements SpanBuilder {
  private static final String KIND = "rl.kind";

  private final Spans spans;
  private final Library library;
  private final String name;
  private AttributeList attributes = new AttributeList();
  private Extras extras;
  private SpanKind otelKind = SpanKind.INTERNAL;
  private Context parent;
  private String kind;
  private long startNs;
  private boolean used;

  public OtelSpanBuilder(Spans spans, Library library, String name) {
    this.spans = spans;
    this.library = library;
    this.name = name;
  }

  @Override
  public SpanBuilder setParent(Context context) {
    parent = context == null ? parent : context;
    return this;
  }

  @Override
  public SpanBuilder setNoParent() {
    parent = Context.root();
    return this;
  }

  @Override
  public SpanBuilder addLink(SpanContext target) {
    return addLink(target, Attributes.empty());
  }

  @Override
  public SpanBuilder addLink(SpanContext target, Attributes more) {
    if (target != null && target.isValid()) {
      extras = extras == null ? new Extras() : extras;
      extras.add(new Link(target, OtelValues.list(more, spans.values())));
    }
    return this;
  }

  @Override
  public SpanBuilder setAttribute(String key, String value) {
    attributes.putText(key, value, spans.values());
    if (KIND.equals(key)) {
      kind = value;
    }
    return this;
  }

  @Override
  public SpanBuilder setAttribute(String key, long value) {
    attributes.putSmall(key, value);
    return this;
  }

  @Override
  public SpanBuilder setAttribute(String key, double value) {
    attributes.putSmall(key, value);
    return this;
  }

  @Override
  public SpanBuilder setAttribute(String key, boolean value) {
    attributes.putSmall(key, value);
    return this;
  }

  @Override
  public <T> SpanBuilder setAttribute(AttributeKey<T> key, T value) {
    if (key != null) {
      Object own = OtelValues.of(value);
      attributes.put(key.getKey(), own, spans.values());
      if (KIND.equals(key.getKey()) && own instanceof String word) {
        kind = word;
      }
    }
    return this;
  }

  @Override
  public SpanBuilder setSpanKind(SpanKind spanKind) {
    otelKind = spanKind == null ? otelKind : spanKind;
    return this;
  }

  @Override
  public SpanBuilder setStartTimestamp(long time, TimeUnit unit) {
    startNs = unit == null ? 0 : unit.toNanos(time);
    return this;
  }

  @Override
  public Span startSpan() {
    if (used) { // Spans must not share what they change.
      attributes = attributes.copy();
      extras = extras == null ? null : extras.copy();
    }
    used = true;
    return spans.built(this, parent == null ? spans.current() : parent, kind);
  }

  String name() {
    return name;
  }

  Library library() {
    return library;
  }

  AttributeList attributes() {
    return attributes;
  }

  Extras extras() {
    return extras;
  }

  SpanKind otelKind() {
    return otelKind;
  }

  long startNs() {
    return startNs;
  }
}
