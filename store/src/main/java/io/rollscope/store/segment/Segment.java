package io.rollscope.store.segment;

import java.util.ArrayList;
import java.util.List;
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
 * @param sums sizes and checksums of its files, by their names
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
    Map<String, Long> runs,
    Map<String, FileSum> sums) {

  public Segment {
    runs = Map.copyOf(runs);
    sums = Map.copyOf(sums);
  }

  /** The same with the checksums of its files. */
  Segment with(Map<String, FileSum> checksums) {
    long size = checksums.values().stream().mapToLong(FileSum::bytes).sum();
    return new Segment(
        number, spans, sessions, points, size, startNs, endNs, sealedNs, runs, checksums);
  }

  /** Names of the files it has. */
  List<String> files() {
    List<String> files = new ArrayList<>();
    if (spans > 0) {
      files.add(spansFile());
    }
    if (sessions > 0) {
      files.add(sessionsFile());
    }
    if (points > 0) {
      files.add(metricsFile());
    }
    return files;
  }

  public String spansFile() {
    return file("spans", number);
  }

  public String sessionsFile() {
    return file("sessions", number);
  }

  public String metricsFile() {
    return file("metrics", number);
  }

  static String file(String what, long number) {
    return String.format("%s-%08d.parquet", what, number);
  }
}
