package io.rollscope.sdk.internal.stack;

import io.rollscope.sdk.internal.span.RecordedSpan;

/**
 * Where the work of a span stood.
 *
 * @param frames {@code function file:line} in lines, innermost first
 */
public record StackRecord(RecordedSpan span, long timeNs, String frames) {}
