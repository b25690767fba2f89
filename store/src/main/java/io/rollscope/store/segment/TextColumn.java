package io.rollscope.store.segment;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.vector.VarCharVector;

/** Fills a column of text. Rows are sorted, so the same text mostly comes again. */
final class TextColumn {
  private static final int REMEMBERED = 1_000;

  private final VarCharVector vector;
  private final Map<String, byte[]> known = new HashMap<>();
  private String last;
  private byte[] lastBytes;

  TextColumn(VarCharVector vector) {
    this.vector = vector;
  }

  @SuppressWarnings("ReferenceEquality") // equal ones only cost a look-up
  void set(int row, String value) {
    if (value == null) {
      vector.setNull(row);
      return;
    }
    if (value != last) {
      last = value;
      lastBytes = known.get(value);
      if (lastBytes == null) {
        lastBytes = value.getBytes(StandardCharsets.UTF_8);
        if (known.size() >= REMEMBERED) {
          known.clear();
        }
        known.put(value, lastBytes);
      }
    }
    vector.setSafe(row, lastBytes, 0, lastBytes.length);
  }

  void set(int row, byte[] value, int length) {
    vector.setSafe(row, value, 0, length);
  }

  void setNull(int row) {
    vector.setNull(row);
  }
}
