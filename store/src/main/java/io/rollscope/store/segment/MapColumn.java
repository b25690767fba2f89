package io.rollscope.store.segment;

import io.rollscope.otlp.record.Attributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills a column of attributes: text by text. Of a key that comes twice the first counts. */
final class MapColumn {
  private final MapVector vector;
  private final StructVector entries;
  private final TextColumn keys;
  private final TextColumn values;
  private final Set<String> seen = new HashSet<>();
  private int next;

  MapColumn(MapVector vector) {
    this.vector = vector;
    entries = (StructVector) vector.getDataVector();
    keys = new TextColumn((VarCharVector) entries.getChild("key"));
    values = new TextColumn((VarCharVector) entries.getChild("value"));
  }

  /** Sets the attributes of a row: all of the first, of the others what is new. */
  void set(int row, List<Attributes> attributes) {
    if (row == 0) {
      next = 0;
    }
    vector.startNewValue(row);
    seen.clear();
    int first = next;
    for (Attributes some : attributes) {
      some.forEach(this::add);
    }
    vector.endValue(row, next - first);
  }

  private void add(String key, String value) {
    if (seen.add(key)) {
      entries.setIndexDefined(next);
      keys.set(next, key);
      values.set(next, value);
      next++;
    }
  }
}
