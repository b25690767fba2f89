package io.rollscope.formats.areal;

import io.rollscope.core.time.Nanos;
import java.util.Arrays;

/**
 * The phases of one row. AReaL's recorder keeps one active span per phase, so of two overlapping
 * ones the first loses its end, which then appears as a span of no length: it is given back.
 */
final class ArealPhases {
  private int[] name = new int[16];
  private long[] start = new long[16];
  private long[] end = new long[16];
  private int count;
  private int current;
  private int first;

  void clear() {
    count = 0;
  }

  void begin(int phase) {
    current = phase;
    first = count;
  }

  void add(long from, long to) {
    if (count == name.length) {
      name = Arrays.copyOf(name, count * 2);
      start = Arrays.copyOf(start, count * 2);
      end = Arrays.copyOf(end, count * 2);
    }
    name[count] = current;
    start[count] = from;
    end[count++] = to;
  }

  /** Gives lost ends back to the newest unended span before them, within the current phase. */
  void rejoin() {
    int kept = first;
    for (int i = first; i < count; i++) {
      int unended = start[i] == end[i] ? newestUnended(kept) : -1;
      if (unended >= 0) {
        end[unended] = end[i];
      } else {
        start[kept] = start[i];
        end[kept++] = end[i];
      }
    }
    count = kept;
  }

  private int newestUnended(int before) {
    for (int i = before - 1; i >= first; i--) {
      if (end[i] == Nanos.OPEN) {
        return i;
      }
    }
    return -1;
  }

  int count() {
    return count;
  }

  /** Number of the span name. */
  int name(int i) {
    return name[i];
  }

  long start(int i) {
    return start[i];
  }

  long end(int i) {
    return end[i];
  }
}
