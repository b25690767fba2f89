package io.rollscope.store.journal;

import java.util.List;

/**
 * How long something took, in the form in which Prometheus counts.
 *
 * @param upperBounds of the buckets, in seconds; a last one without bound follows
 * @param counts per bucket, not accumulated; one more than bounds
 * @param sumSeconds of all
 */
public record LatencyHistogram(List<Double> upperBounds, List<Long> counts, double sumSeconds) {
  /** Of all buckets. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
