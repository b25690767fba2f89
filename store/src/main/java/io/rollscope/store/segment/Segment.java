package io.rollscope.store.segment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.HashMap;
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
 * @param sessionsVersion the version of the folder whose upgrade wrote its sessions anew; 0 if they
 *     are as they were sealed
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
    Map<String, FileSum> sums,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int sessionsVersion) {

  public Segment {
    runs = Map.copyOf(runs);
    sums = Map.copyOf(sums);
  }

  /** The same with the checksums of its files. */
  Segment with(Map<String, FileSum> checksums) {
    long size = checksums.values().stream().mapToLong(FileSum::bytes).sum();
    return new Segment(
        number,
        spans,
        sessions,
        points,
        size,
        startNs,
        endNs,
        sealedNs,
        runs,
        checksums,
        sessionsVersion);
  }

  /** The same with sessions that the upgrade to a version of the folder wrote anew. */
  Segment withSessions(int version, FileSum checksum) {
    Segment renewed =
        new Segment(
            number, spans, sessions, points, bytes, startNs, endNs, sealedNs, runs, sums, version);
    Map<String, FileSum> checksums = new HashMap<>(sums);
    checksums.remove(sessionsFile());
    checksums.put(renewed.sessionsFile(), checksum);
    return renewed.with(checksums);
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
    return sessionsFile(number, sessionsVersion);
  }

  public String metricsFile() {
    return file("metrics", number);
  }

  static String sessionsFile(long number, int version) {
    String name = file("sessions", number);
    return version == 0 ? name : name.replace(".parquet", ".v" + version + ".parquet");
  }

  static String file(String what, long number) {
    return String.format("%s-%08d.parquet", what, number);
  }
}
