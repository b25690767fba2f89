package io.rollscope.store.segment;

import java.util.Map;

/**
 * One seal: up to three Parquet files with the same number.
 *
 * @param spans rows in {@code spans-N.parquet}, which exists if there are any; likewise the others
 * @param bytes of all its files
 * @param startNs earliest start of a span, or time of a point
 * @param endNs latest
 * @param sealedNs when it was written
 * @param runs spans by run
 */
public record Segment(
    long number,
    long spans,
    long sessions,
    long points,
    long bytes,
    long startNs,
    long endNs,
    long sealedNs,
    Map<String, Long> runs) {

  public String spansFile() {
    return file("spans");
  }

  public String sessionsFile() {
    return file("sessions");
  }

  public String metricsFile() {
    return file("metrics");
  }

  private String file(String what) {
    return String.format("%s-%08d.parquet", what, number);
  }
}
