package io.rollscope.store.segment;

import io.rollscope.otlp.record.Attributes;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills a column of attributes, byte by byte. Of a key that comes twice the first counts. */
final class MapColumn {
  private final MapVector vector;
  private final StructVector entries;
  private final VarCharVector keys;
  private final VarCharVector values;
  private final Held held;
  private int next;

  /** The keys of the row so far: they lie in the bytes of requests, which do not change. */
  private byte[][] seen = new byte[64][];

  private int[] seenFrom = new int[64];
  private int[] seenTo = new int[64];
  private int count;
  private int before;
  private long cut;

  /** Says which attributes a column of their own holds. */
  interface Held {
    boolean hold(byte[] key, int keyFrom, int keyTo, byte[] value, int from, int to);
  }

  /**
   * @param held what to leave out
   */
  MapColumn(MapVector vector, Held held) {
    this.vector = vector;
    this.held = held;
    entries = (StructVector) vector.getDataVector();
    keys = (VarCharVector) entries.getChild("key");
    values = (VarCharVector) entries.getChild("value");
  }

  /** Sets the attributes of a row: all of the first, of the others what is new. */
  void set(int row, List<Attributes> attributes) {
    if (row == 0) {
      next = 0;
    }
    vector.startNewValue(row);
    count = 0;
    int first = next;
    for (Attributes some : attributes) {
      before = count; // Within one message the decoder sees to it.
      cut += some.visit(this::add);
    }
    vector.endValue(row, next - first);
  }

  /** How many events and links were left out so far, because they are too long. */
  long cut() {
    return cut;
  }

  private void add(byte[] key, int keyFrom, int keyTo, byte[] value, int from, int to) {
    if (held.hold(key, keyFrom, keyTo, value, from, to)) {
      return;
    }
    for (int i = 0; i < before; i++) {
      if (seenTo[i] - seenFrom[i] == keyTo - keyFrom
          && Arrays.equals(seen[i], seenFrom[i], seenTo[i], key, keyFrom, keyTo)) {
        return;
      }
    }
    if (count == seen.length) {
      seen = Arrays.copyOf(seen, 2 * count);
      seenFrom = Arrays.copyOf(seenFrom, 2 * count);
      seenTo = Arrays.copyOf(seenTo, 2 * count);
    }
    seen[count] = key;
    seenFrom[count] = keyFrom;
    seenTo[count++] = keyTo;
    entries.setIndexDefined(next);
    keys.setSafe(next, key, keyFrom, keyTo - keyFrom);
    values.setSafe(next, value, from, to - from);
    next++;
  }
}
