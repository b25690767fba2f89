package io.rollscope.sdk.internal.span;

/**
 * What became of a session that had ended already, or got known of it.
 *
 * @param attributes keys and values in turn; a null value is left out
 */
public record Verdict(RecordedSpan session, long timeNs, Object[] attributes) {}
