package io.rollscope.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  private static final int BLOCK = 1 << 15;

  @Property(tries = 200)
  void cellsHoldWhatWasSetAndElseTheDefault(
      @ForAll @Size(max = 50) List<@IntRange(min = 0, max = 300_000) Integer> indexes) {
    IntColumn ints = new IntColumn(-1);
    LongColumn longs = new LongColumn(Long.MIN_VALUE);
    ByteColumn bytes = new ByteColumn((byte) -1);
    Map<Integer, Integer> expected = new HashMap<>();
    for (int index : indexes) {
      int value = expected.size() * 7;
      expected.put(index, value);
      ints.set(index, value);
      longs.set(index, value * 1_000_000_007L);
      bytes.set(index, (byte) value);
    }

    for (int index : indexes) {
      int value = expected.get(index);
      assertThat(ints.get(index)).isEqualTo(value);
      assertThat(longs.get(index)).isEqualTo(value * 1_000_000_007L);
      assertThat(bytes.get(index)).isEqualTo((byte) value);
      int beside = index + 1;
      if (!expected.containsKey(beside)) {
        assertThat(ints.get(beside)).isEqualTo(-1);
        assertThat(longs.get(beside)).isEqualTo(Long.MIN_VALUE);
        assertThat(bytes.get(beside)).isEqualTo((byte) -1);
      }
    }
  }

  /** Asking for a session that was never seen must not fail. */
  @Test
  void farBeyondTheEndIsTheDefault() {
    assertThat(new IntColumn(5).get(Integer.MAX_VALUE)).isEqualTo(5);
    assertThat(new LongColumn(6).get(Integer.MAX_VALUE)).isEqualTo(6);
    assertThat(new ByteColumn((byte) 7).get(Integer.MAX_VALUE)).isEqualTo((byte) 7);
  }

  /** A chunk hardly ever ends where a block does. */
  @Test
  void aRangeAcrossBlocksIsSetWhole() {
    IntColumn ints = new IntColumn(-1);
    LongColumn longs = new LongColumn(-1);
    ByteColumn bytes = new ByteColumn((byte) -1);
    int length = 2 * BLOCK + 100;
    int[] intValues = new int[length + 50];
    long[] longValues = new long[length + 50];
    byte[] byteValues = new byte[length + 50];
    for (int i = 0; i < length; i++) {
      intValues[i] = i;
      longValues[i] = 3L * i;
      byteValues[i] = (byte) (i % 101);
    }
    int first = BLOCK - 50;

    ints.setAll(first, intValues, length);
    longs.setAll(first, longValues, length);
    bytes.setAll(first, byteValues, length);

    for (int i : new int[] {0, 49, 50, 51, BLOCK, BLOCK + 50, 2 * BLOCK + 51, length - 1}) {
      assertThat(ints.get(first + i)).isEqualTo(i);
      assertThat(longs.get(first + i)).isEqualTo(3L * i);
      assertThat(bytes.get(first + i)).isEqualTo((byte) (i % 101));
    }
    for (int outside : new int[] {first - 1, first + length}) {
      assertThat(ints.get(outside)).isEqualTo(-1);
      assertThat(longs.get(outside)).isEqualTo(-1);
      assertThat(bytes.get(outside)).isEqualTo((byte) -1);
    }
  }
}
