package io.rollscope.sdk.internal.span;

/**
 * What became of a session that had ended already.
 *
 * @param reason or null
 */
public record Verdict(RecordedSpan session, long timeNs, String status, String reason) {}
