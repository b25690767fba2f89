package io.rollscope.store.segment;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rollscope.store.hot.SessionRow.SpanTime;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Fills a column of lists of times, each of a span. */
final class SpanTimesColumn {
  private final ListVector vector;
  private final StructVector each;
  private final TextColumn stage;
  private final TextColumn kind;
  private final TextColumn span;
  private final BigIntVector from;
  private final BigIntVector to;
  private int next;

  SpanTimesColumn(ListVector vector) {
    this.vector = vector;
    each = (StructVector) vector.getDataVector();
    stage = new TextColumn((VarCharVector) each.getChild("stage"));
    kind = new TextColumn((VarCharVector) each.getChild("kind"));
    span = new TextColumn((VarCharVector) each.getChild("span_id"));
    from = (BigIntVector) each.getChild("from_ns");
    to = (BigIntVector) each.getChild("to_ns");
  }

  void set(int row, List<SpanTime> times) {
    if (row == 0) {
      next = 0;
    }
    if (times.isEmpty()) {
      vector.setNull(row);
      return;
    }
    vector.startNewValue(row);
    for (SpanTime time : times) {
      each.setIndexDefined(next);
      stage.set(next, time.span().stage());
      kind.set(next, time.span().told().kind().word());
      byte[] id = HexFormat.of().toHexDigits(time.span().told().spanId()).getBytes(US_ASCII);
      span.set(next, id, id.length);
      from.setSafe(next, time.fromNs());
      to.setSafe(next++, time.toNs());
    }
    vector.endValue(row, times.size());
  }
}
