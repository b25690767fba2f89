package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.file.Path;
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

  /** Complains about files that are missing or have another size. */
  void check(Disk disk, Path folder, List<String> present) throws IOException {
    long size = 0;
    for (String file : files()) {
      if (!present.contains(file)) {
        throw new IOException(
            folder.resolve(file) + ": missing (expected: a file of the manifest)");
      }
      try (ReadFile in = disk.openForRead(folder.resolve(file))) {
        size += in.size();
      }
    }
    if (size != bytes) {
      throw new IOException(
          folder.resolve(files().get(0))
              + (files().size() > 1 ? " and others of its number: " : ": ")
              + size
              + " bytes (expected: "
              + bytes
              + ")");
    }
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
