package io.rollscope.server.tail;

import java.util.Map;
import java.util.TreeMap;

/** What happened while following a folder, since the start. Thread-safe. */
final class TailCounts {
  private static final int MAX_REASONS = 100;
  private static final String OTHER = "(other)";

  private long bytesRead;
  private long spans;
  private long requests;
  private long retries;
  private String lastError;
  private final Map<String, Long> refused = new TreeMap<>();

  synchronized void read(long bytes) {
    bytesRead += bytes;
  }

  synchronized void delivered(Part part) {
    spans += part.spans();
    requests++;
  }

  synchronized void retried(String why) {
    retries++;
    lastError = why;
  }

  synchronized void refused(Map<String, Long> byReason) {
    byReason.forEach(
        (reason, n) -> {
          boolean room = refused.size() < MAX_REASONS || refused.containsKey(reason);
          refused.merge(room ? reason : OTHER, n, Long::sum);
        });
  }

  /** What went wrong last; null when all is well again. */
  synchronized void error(String what) {
    lastError = what;
  }

  synchronized long bytesRead() {
    return bytesRead;
  }

  synchronized long spans() {
    return spans;
  }

  synchronized long requests() {
    return requests;
  }

  synchronized long retries() {
    return retries;
  }

  synchronized String lastError() {
    return lastError;
  }

  synchronized Map<String, Long> refused() {
    return Map.copyOf(refused);
  }
}
