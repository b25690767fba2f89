package io.rollscope.otlp.record;

/**
 * A {@code rollscope.stack} record: where the work of that span stood at that time.
 *
 * @param attributes what it adds to those of the span: frames and time
 */
public record StackRecord(
    long traceHigh,
    long traceLow,
    long spanId,
    long timeNs,
    Attributes attributes,
    Origin origin) {}
