package io.rollscope.store.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.store.hot.SessionRow.StageTime;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills a column of lists of times, each of a stage. */
final class StageTimesColumn {
  private final ListVector vector;
  private final StructVector each;
  private final VarCharVector stage;
  private final BigIntVector from;
  private final BigIntVector to;
  private int next;

  StageTimesColumn(ListVector vector) {
    this.vector = vector;
    each = (StructVector) vector.getDataVector();
    stage = (VarCharVector) each.getChild("stage");
    from = (BigIntVector) each.getChild("from_ns");
    to = (BigIntVector) each.getChild("to_ns");
  }

  void set(int row, List<StageTime> times) {
    if (row == 0) {
      next = 0;
    }
    if (times.isEmpty()) {
      vector.setNull(row);
      return;
    }
    vector.startNewValue(row);
    for (StageTime time : times) {
      each.setIndexDefined(next);
      stage.setSafe(next, time.stage().getBytes(UTF_8));
      from.setSafe(next, time.fromNs());
      to.setSafe(next++, time.toNs());
    }
    vector.endValue(row, times.size());
  }
}
