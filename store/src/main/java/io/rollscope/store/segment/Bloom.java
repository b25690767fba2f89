package io.rollscope.store.segment;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * A bounded set of hashes that may err in one direction: what it says is not there was not added
 * within the time it remembers. Grows by filters of doubling size; the oldest go.
 */
final class Bloom {
  private static final int FIRST_WORDS = 1 << 14;
  private static final int MOST_WORDS = 1 << 22;
  private static final int BITS_PER_KEY = 16;
  private static final int PROBES = 6;
  private static final long MOST_TOTAL_WORDS = 1L << 23;

  private static final class Filter {
    final long[] words;
    int keys;
    long newestNs;

    Filter(int size) {
      words = new long[size];
    }

    boolean isFull() {
      return (long) keys * BITS_PER_KEY >= words.length * 64L;
    }
  }

  private final Deque<Filter> filters = new ArrayDeque<>();

  /**
   * @param atNs when, so that it can be forgotten later
   */
  void add(long hash, long atNs) {
    Filter filter = filters.peekLast();
    if (filter == null || filter.isFull()) {
      int size = filter == null ? FIRST_WORDS : Math.min(MOST_WORDS, filter.words.length * 2);
      filter = new Filter(size);
      filters.addLast(filter);
      while (filters.stream().mapToLong(f -> f.words.length).sum() > MOST_TOTAL_WORDS) {
        filters.removeFirst();
      }
    }
    filter.keys++;
    filter.newestNs = Math.max(filter.newestNs, atNs);
    long step = Hashes.mix(hash) | 1;
    long at = hash;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) (at >>> 32) & (filter.words.length * 64 - 1);
      filter.words[bit >>> 6] |= 1L << bit;
      at += step;
    }
  }

  /** Forgets filters whose keys are all older. */
  void forgetBefore(long ns) {
    Iterator<Filter> oldest = filters.iterator();
    while (oldest.hasNext() && filters.size() > 1) {
      if (oldest.next().newestNs >= ns) {
        return;
      }
      oldest.remove();
    }
  }

  boolean mayContain(long hash) {
    Iterator<Filter> newest = filters.descendingIterator();
    long step = Hashes.mix(hash) | 1;
    while (newest.hasNext()) {
      long[] words = newest.next().words;
      long at = hash;
      int i = 0;
      while (i < PROBES) {
        int bit = (int) (at >>> 32) & (words.length * 64 - 1);
        if ((words[bit >>> 6] & 1L << bit) == 0) {
          break;
        }
        at += step;
        i++;
      }
      if (i == PROBES) {
        return true;
      }
    }
    return false;
  }
}
