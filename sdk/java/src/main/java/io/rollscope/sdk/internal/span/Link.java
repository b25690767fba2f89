package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.trace.SpanContext;

/** A span that another one has to do with. */
public record Link(SpanContext target, AttributeList attributes) {}
