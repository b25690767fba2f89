package io.rollscope.sdk.internal.span;

/** Something that happened at a time within a span: OpenTelemetry's event. */
public record Moment(String name, long timeNs, AttributeList attributes) {}
