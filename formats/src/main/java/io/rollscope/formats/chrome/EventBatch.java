package io.rollscope.formats.chrome;

import io.rollscope.core.stats.IndexSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The rewritten events of one piece of input, collected and then sorted. */
final class EventBatch {
  /** Small enough for the collector not to treat it as something special. */
  private static final int CHUNK = 1 << 18;

  private byte[] bytes = new byte[1 << 20];
  private int length;
  private int[] starts = new int[4096];
  private long[] whole = new long[4096];
  private long[] place = new long[4096];
  private long[] lengthNs = new long[4096];
  private int count;

  void clear() {
    length = 0;
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Begins a record whose header is filled in by {@link #finish}. */
  void begin() {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      whole = Arrays.copyOf(whole, count * 2);
      place = Arrays.copyOf(place, count * 2);
      lengthNs = Arrays.copyOf(lengthNs, count * 2);
    }
    starts[count] = length;
    reserve(EventRecord.HEADER);
    length += EventRecord.HEADER;
  }

  void append(byte[] source, int from, int to) {
    int size = to - from;
    reserve(size);
    System.arraycopy(source, from, bytes, length, size);
    length += size;
  }

  /** How much of the line is written. */
  int lineLength() {
    return length - starts[count] - EventRecord.HEADER;
  }

  void finish(Micros time, long nanos, int track, int tidAt, int durAt) {
    int at = starts[count];
    whole[count] = time.whole;
    place[count] = EventRecord.place(time.parts, track);
    lengthNs[count] = nanos;
    EventRecord.putLong(bytes, at + EventRecord.WHOLE, whole[count]);
    EventRecord.putLong(bytes, at + EventRecord.PLACE, place[count]);
    EventRecord.putLong(bytes, at + EventRecord.LENGTH_NS, nanos);
    EventRecord.putInt(bytes, at + EventRecord.TID_AT, tidAt);
    EventRecord.putInt(bytes, at + EventRecord.DUR_AT, durAt);
    EventRecord.putInt(bytes, at + EventRecord.SIZE, lineLength());
    count++;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length / 2 * 3));
    }
  }

  /** The records in order, as a run of chunks; no record lies in two. */
  List<byte[]> sorted() {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    IndexSort.sort(order, count, this::isBefore);
    List<byte[]> run = new ArrayList<>();
    int next = 0;
    while (next < count) {
      int first = next;
      int size = 0;
      do {
        size += sizeOf(order[next++]);
      } while (next < count && size + sizeOf(order[next]) <= CHUNK);
      run.add(chunk(order, first, next, size));
    }
    return run;
  }

  private boolean isBefore(int a, int b) {
    return EventRecord.isBefore(
        whole[a], place[a], lengthNs[a], whole[b], place[b], lengthNs[b], a > b);
  }

  private int sizeOf(int record) {
    return (record + 1 < count ? starts[record + 1] : length) - starts[record];
  }

  private byte[] chunk(int[] order, int first, int last, int size) {
    byte[] chunk = new byte[size];
    int to = 0;
    for (int i = first; i < last; i++) {
      int length = sizeOf(order[i]);
      System.arraycopy(bytes, starts[order[i]], chunk, to, length);
      to += length;
    }
    return chunk;
  }
}
