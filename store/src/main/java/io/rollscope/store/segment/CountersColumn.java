package io.rollscope.store.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills a column of counts by name. */
final class CountersColumn {
  private final MapVector vector;
  private final StructVector entries;
  private final VarCharVector keys;
  private final BigIntVector values;
  private int next;

  CountersColumn(MapVector vector) {
    this.vector = vector;
    entries = (StructVector) vector.getDataVector();
    keys = (VarCharVector) entries.getChild("key");
    values = (BigIntVector) entries.getChild("value");
  }

  void set(int row, Map<String, Long> counters) {
    if (row == 0) {
      next = 0;
    }
    if (counters.isEmpty()) {
      vector.setNull(row);
      return;
    }
    vector.startNewValue(row);
    counters.forEach(
        (name, count) -> {
          entries.setIndexDefined(next);
          keys.setSafe(next, name.getBytes(UTF_8));
          values.setSafe(next++, count);
        });
    vector.endValue(row, counters.size());
  }
}
