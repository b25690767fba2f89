package io.rollscope.sdk.internal.otel;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerBuilder;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.rollscope.sdk.internal.span.Library;
import io.rollscope.sdk.internal.span.OtelSpanBuilder;
import io.rollscope.sdk.internal.span.Spans;

/** Tracers and W3C propagation. Meters and loggers are not there: they do nothing. */
public final class RollscopeTelemetry implements OpenTelemetry, TracerProvider {
  /** Trace context and baggage. */
  public static final ContextPropagators W3C =
      ContextPropagators.create(
          TextMapPropagator.composite(
              W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance()));

  private final Spans spans;

  public RollscopeTelemetry(Spans spans) {
    this.spans = spans;
  }

  @Override
  public TracerProvider getTracerProvider() {
    return this;
  }

  @Override
  public ContextPropagators getPropagators() {
    return W3C;
  }

  @Override
  public Tracer get(String name) {
    return get(name, null);
  }

  @Override
  public Tracer get(String name, String version) {
    boolean named = name != null && !name.isEmpty();
    return new OwnTracer(spans, new Library(named ? name : "unknown", version));
  }

  @Override
  public TracerBuilder tracerBuilder(String name) {
    return new OwnTracerBuilder(name);
  }

  private record OwnTracer(Spans spans, Library library) implements Tracer {
    @Override
    public SpanBuilder spanBuilder(String name) {
      return new OtelSpanBuilder(spans, library, name);
    }
  }

  private final class OwnTracerBuilder implements TracerBuilder {
    private final String name;
    private String version;

    OwnTracerBuilder(String name) {
      this.name = name;
    }

    @Override
    public TracerBuilder setSchemaUrl(String url) {
      return this; // Nothing here depends on the version of the conventions.
    }

    @Override
    public TracerBuilder setInstrumentationVersion(String instrumentationVersion) {
      version = instrumentationVersion;
      return this;
    }

    @Override
    public Tracer build() {
      return get(name, version);
    }
  }
}
