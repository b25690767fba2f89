package io.rollscope.core.view;

/**
 * A run in one line.
 *
 * @param system framework, or null
 * @param state {@code live} (news within a minute), {@code silent} (open work but no news for a
 *     minute) or {@code finished}
 * @param spans stored or hot
 * @param openSpans now
 */
public record RunSummary(
    String run,
    String project,
    String system,
    String state,
    double firstS,
    double lastS,
    long batches,
    long sessions,
    long spans,
    long openSpans) {}
