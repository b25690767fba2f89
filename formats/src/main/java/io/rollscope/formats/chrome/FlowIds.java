package io.rollscope.formats.chrome;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * The distinct flow ids of one worker, and their numbers in the output. Kept as a sorted array: a
 * profiler writes one id per kernel launch.
 */
final class FlowIds {
  private long[] ids = new long[64];
  private int count;
  private final TreeMap<String, Long> texts = new TreeMap<>();
  private long base;

  /** Adds the id written in these bytes. */
  void add(byte[] b, EventLine.Part part) {
    if (SourceId.isPlainInteger(b, part.from, part.to)) {
      add(SourceId.parsePlain(b, part.from, part.to));
      return;
    }
    SourceId id = SourceId.of(b, part.from, part.to);
    if (id.number() == null) {
      texts.put(id.json(), 0L);
    } else {
      add(id.number());
    }
  }

  void addAll(FlowIds other) {
    texts.putAll(other.texts);
    for (int i = 0; i < other.count; i++) {
      add(other.ids[i]);
    }
  }

  private void add(long id) {
    if (count == ids.length) {
      distinct();
      if (count > ids.length / 2) {
        ids = Arrays.copyOf(ids, ids.length * 2);
      }
    }
    ids[count++] = id;
  }

  private void distinct() {
    Arrays.sort(ids, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || ids[i] != ids[kept - 1]) {
        ids[kept++] = ids[i];
      }
    }
    count = kept;
  }

  /** Numbers the ids from {@code first} on; returns the next free number. */
  long number(long first) {
    distinct();
    base = first;
    long next = first + count;
    for (var text : texts.entrySet()) {
      text.setValue(next++);
    }
    return next;
  }

  /** The number of the id written in these bytes, or -1 if it was never added. */
  long numberOf(byte[] b, EventLine.Part part) {
    SourceId id = SourceId.of(b, part.from, part.to);
    if (id.number() == null) {
      return texts.getOrDefault(id.json(), -1L);
    }
    int at = Arrays.binarySearch(ids, 0, count, id.number());
    return at < 0 ? -1 : base + at;
  }
}
