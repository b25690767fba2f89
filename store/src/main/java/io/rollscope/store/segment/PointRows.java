package io.rollscope.store.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.otlp.Key;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.store.hot.HotStore.HotPoint;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Metric points with the columns of {@code metrics} (docs/storage.md). */
final class PointRows extends RowReader<HotPoint> {
  private static final ArrowType LONG = new ArrowType.Int(64, true);

  static final List<Field> COLUMNS =
      List.of(
          text("run"),
          whole("train_step"),
          text("name"),
          text("unit"),
          text("kind"),
          text("temporality"),
          flag("monotonic"),
          whole("start_ns"),
          whole("time_ns"),
          number("value"),
          whole("count"),
          number("sum"),
          number("min"),
          number("max"),
          list("bounds", DOUBLE),
          list("bucket_counts", LONG),
          list("quantile_values", DOUBLE),
          whole("scale"),
          whole("zero_count"),
          number("zero_threshold"),
          whole("bucket_offset"),
          whole("negative_offset"),
          list("negative_counts", LONG),
          text("worker_role"),
          whole("worker_rank"),
          text("host"),
          whole("pid"),
          text("instance"),
          text("service"),
          map("labels"),
          text("source"),
          whole("ingest_ns"),
          text("step_source"),
          flag("stale"),
          whole("series"));

  private static final byte[] STEP = Key.TRAIN_STEP.text().getBytes(UTF_8);

  private VectorSchemaRoot root;
  private final TextColumn[] text = new TextColumn[COLUMNS.size()];
  private MapColumn labels;
  private boolean hasStep;
  private int c;

  PointRows(BufferAllocator allocator, Iterator<HotPoint> points) {
    super(allocator, COLUMNS, points);
  }

  private static Field list(String name, ArrowType of) {
    return new Field(
        name,
        FieldType.nullable(new ArrowType.List()),
        List.of(new Field("item", FieldType.nullable(of), null)));
  }

  @Override
  void bind(VectorSchemaRoot vectors) {
    root = vectors;
    for (int i = 0; i < COLUMNS.size(); i++) {
      var vector = vectors.getVector(i);
      if (vector instanceof MapVector map) {
        labels = new MapColumn(map, this::holdsStep);
      } else if (vector instanceof VarCharVector chars) {
        text[i] = new TextColumn(chars);
      }
    }
  }

  @Override
  void fill(int row, HotPoint hot) {
    MetricPoint point = hot.point();
    MetricPoint.Exponential exponential = point.exponential();
    boolean wide = exponential != null;
    c = 0;
    put(row, point.runOrFallback());
    put(row, hot.trainStep());
    put(row, point.name());
    put(row, point.unit());
    put(row, point.kind());
    put(row, point.temporality());
    put(row, point.monotonic());
    put(row, point.startNs() == 0 ? null : (Long) point.startNs());
    put(row, (Long) point.timeNs());
    put(row, point.value());
    put(row, point.count());
    put(row, point.sum());
    put(row, point.min());
    put(row, point.max());
    put(row, point.bounds());
    put(row, point.counts());
    put(row, point.values());
    put(row, wide ? (Long) (long) exponential.scale() : null);
    put(row, wide ? (Long) exponential.zeroCount() : null);
    put(row, wide ? (Double) exponential.zeroThreshold() : null);
    put(row, wide ? (Long) (long) exponential.offset() : null);
    put(row, wide ? (Long) (long) exponential.negativeOffset() : null);
    put(row, wide ? exponential.negativeCounts() : null);
    put(row, point.origin().workerRole());
    put(row, point.origin().workerRank());
    put(row, point.origin().host());
    put(row, point.origin().pid());
    put(row, point.origin().instance());
    put(row, point.origin().service());
    hasStep = point.trainStep() != null;
    labels.set(row, List.of(point.attributes()));
    c++;
    put(row, point.origin().source());
    put(row, (Long) hot.receivedNs());
    put(row, hot.stepSource());
    put(row, (Boolean) point.stale());
    put(row, (Long) point.series());
  }

  private boolean holdsStep(byte[] key, int keyFrom, int keyTo, byte[] value, int from, int to) {
    return hasStep && Arrays.equals(STEP, 0, STEP.length, key, keyFrom, keyTo);
  }

  private void put(int row, String value) {
    text[c++].set(row, value);
  }

  private void put(int row, Long value) {
    set((BigIntVector) root.getVector(c++), row, value);
  }

  private void put(int row, Boolean value) {
    BitVector vector = (BitVector) root.getVector(c++);
    if (value == null) {
      vector.setNull(row);
    } else {
      vector.setSafe(row, value ? 1 : 0);
    }
  }

  private void put(int row, Double value) {
    Float8Vector vector = (Float8Vector) root.getVector(c++);
    if (value == null) {
      vector.setNull(row);
    } else {
      vector.setSafe(row, value);
    }
  }

  private void put(int row, double[] values) {
    ListVector vector = (ListVector) root.getVector(c++);
    if (values == null) {
      vector.setNull(row);
      return;
    }
    int at = vector.startNewValue(row);
    Float8Vector items = (Float8Vector) vector.getDataVector();
    for (double value : values) {
      items.setSafe(at++, value);
    }
    vector.endValue(row, values.length);
  }

  private void put(int row, long[] values) {
    ListVector vector = (ListVector) root.getVector(c++);
    if (values == null) {
      vector.setNull(row);
      return;
    }
    int at = vector.startNewValue(row);
    BigIntVector items = (BigIntVector) vector.getDataVector();
    for (long value : values) {
      items.setSafe(at++, value);
    }
    vector.endValue(row, values.length);
  }
}
