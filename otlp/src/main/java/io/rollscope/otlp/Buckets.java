package io.rollscope.otlp;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import java.util.Arrays;

/** A list of numbers in a data point; protobuf has two forms of it, packed and one by one. */
final class Buckets {
  /** More than any SDK makes; the rest is counted, not kept. */
  static final int MAX = 4_096;

  private long[] values = new long[16];
  private int count;

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** Reads fixed64 values or doubles; false for a tag that is neither form of that field. */
  boolean readFixed(ProtoCursor c, int tag, int field) throws MalformedException {
    if (tag == ProtoCursor.tagOf(field, ProtoCursor.FIXED64)) {
      add(c.fixed64());
      return true;
    }
    if (tag != ProtoCursor.tagOf(field, ProtoCursor.BYTES)) {
      return false;
    }
    int outer = c.enter();
    while (c.at() < c.end()) {
      add(c.fixed64());
    }
    c.leave(outer);
    return true;
  }

  /** Reads varints, likewise. */
  boolean readVarints(ProtoCursor c, int tag, int field) throws MalformedException {
    if (tag == ProtoCursor.tagOf(field, ProtoCursor.VARINT)) {
      add(c.varint());
      return true;
    }
    if (tag != ProtoCursor.tagOf(field, ProtoCursor.BYTES)) {
      return false;
    }
    int outer = c.enter();
    while (c.at() < c.end()) {
      add(c.varint());
    }
    c.leave(outer);
    return true;
  }

  void add(long value) {
    if (count < MAX) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count] = value;
    }
    count++;
  }

  long[] toLongs() {
    return Arrays.copyOf(values, Math.min(count, MAX));
  }

  double[] toDoubles() {
    double[] doubles = new double[Math.min(count, MAX)];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = Double.longBitsToDouble(values[i]);
    }
    return doubles;
  }
}
