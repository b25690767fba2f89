package io.rollscope.core.view;

import io.rollscope.core.time.Nanos;

/**
 * A run in one line.
 *
 * @param system framework, or null
 * @param state {@code live} (news within a minute), {@code silent} (open work but no news for a
 *     minute), {@code ended} (open work but no news for ten) or {@code finished}
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
    long openSpans) {
  private static final long NEWS_NS = 60_000_000_000L;

  /**
   * The state of a run.
   *
   * @param newestNs its newest event or beat, or {@link Nanos#UNKNOWN}
   * @param open spans
   */
  public static String state(long newestNs, long clockNs, long open) {
    if (newestNs != Nanos.UNKNOWN && clockNs - newestNs < NEWS_NS) {
      return "live";
    }
    return open == 0 ? "finished" : AsOf.isLive(newestNs, clockNs) ? "silent" : "ended";
  }
}
