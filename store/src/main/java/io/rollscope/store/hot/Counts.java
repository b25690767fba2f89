package io.rollscope.store.hot;

import java.util.HashMap;
import java.util.Map;

/** How much came in, and how much is in memory. */
public final class Counts {
  private static final int MOST_REASONS = 50;

  long spans;
  long starts;
  long verdicts;
  long beats;
  long points;
  long duplicates;
  long duplicatePoints;
  long repaired;

  /** Open spans in memory. */
  int open;

  /** Closed spans in memory that no segment holds. */
  int unsealed;

  /**
   * Spans in memory that a segment holds: only their times are kept, while their session goes on.
   */
  int skeletons;

  /** About how many bytes the spans that no segment holds take. */
  long bytes;

  private final Map<String, Long> refused = new HashMap<>();

  void added(HotSpan span) {
    bytes += span.bytes;
    if (span.isOpen()) {
      starts++;
      open++;
    } else {
      spans++;
      unsealed++;
    }
  }

  void closed() {
    spans++;
    open--;
    unsealed++;
  }

  void sealed(HotSpan span) {
    bytes -= span.bytes;
    if (span.isOpen()) {
      open--;
    } else {
      unsealed--;
    }
    skeletons++;
  }

  void forgotten() {
    skeletons--;
  }

  public void refused(String reason, long count) {
    String named = refused.size() < MOST_REASONS || refused.containsKey(reason) ? reason : "other";
    refused.merge(named, count, Long::sum);
  }

  public Map<String, Long> refused() {
    return Map.copyOf(refused);
  }

  public long spans() {
    return spans;
  }

  public long starts() {
    return starts;
  }

  public long verdicts() {
    return verdicts;
  }

  public long beats() {
    return beats;
  }

  public long points() {
    return points;
  }

  public long duplicates() {
    return duplicates;
  }

  public long duplicatePoints() {
    return duplicatePoints;
  }

  public long repaired() {
    return repaired;
  }

  public int open() {
    return open;
  }

  public int unsealed() {
    return unsealed;
  }

  public long bytes() {
    return bytes;
  }

  /** All spans in memory. */
  public int hot() {
    return open + unsealed + skeletons;
  }
}
