package io.rollscope.store.segment;

import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Hands rows over as Arrow batches. Subclasses name the columns and fill them. */
abstract class RowReader<T> extends ArrowReader {
  static final ArrowType DOUBLE = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

  private static final int BATCH = 16_384;

  private final Schema schema;
  private final Iterator<? extends T> rows;
  private boolean bound;

  RowReader(BufferAllocator allocator, List<Field> columns, Iterator<? extends T> rows) {
    super(allocator);
    this.schema = new Schema(columns);
    this.rows = rows;
  }

  /** Called once, when the vectors exist. */
  abstract void bind(VectorSchemaRoot root);

  abstract void fill(int row, T value);

  @Override
  public boolean loadNextBatch() throws java.io.IOException {
    prepareLoadNextBatch();
    VectorSchemaRoot root = getVectorSchemaRoot();
    root.clear(); // The batch before still reads its buffers; this one gets new ones.
    if (!bound) {
      bound = true;
      bind(root);
    }
    int row = 0;
    while (row < BATCH && rows.hasNext()) {
      fill(row++, rows.next());
    }
    root.setRowCount(row);
    return row > 0;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return schema;
  }

  // ---- columns ---------------------------------------------------------------------------------

  static Field text(String name) {
    return new Field(name, FieldType.nullable(new ArrowType.Utf8()), null);
  }

  static Field whole(String name) {
    return new Field(name, FieldType.nullable(new ArrowType.Int(64, true)), null);
  }

  static Field number(String name) {
    return new Field(name, FieldType.nullable(DOUBLE), null);
  }

  static Field flag(String name) {
    return new Field(name, FieldType.nullable(new ArrowType.Bool()), null);
  }

  static Field map(String name) {
    return map(name, text("value"));
  }

  /** Counts by name. */
  static Field counts(String name) {
    return map(name, whole("value"));
  }

  /** Times of spans: from when to when. */
  static Field times(String name) {
    List<Field> fields =
        List.of(text("stage"), text("kind"), text("span_id"), whole("from_ns"), whole("to_ns"));
    Field each = new Field("l", FieldType.nullable(new ArrowType.Struct()), fields);
    return new Field(name, FieldType.nullable(new ArrowType.List()), List.of(each));
  }

  private static Field map(String name, Field value) {
    Field key = new Field("key", FieldType.notNullable(new ArrowType.Utf8()), null);
    Field entries =
        new Field("entries", FieldType.notNullable(new ArrowType.Struct()), List.of(key, value));
    return new Field(name, FieldType.nullable(new ArrowType.Map(false)), List.of(entries));
  }

  static TextColumn textColumn(VectorSchemaRoot root, String name) {
    return new TextColumn((VarCharVector) root.getVector(name));
  }

  static BigIntVector wholeColumn(VectorSchemaRoot root, String name) {
    return (BigIntVector) root.getVector(name);
  }

  static void set(Float8Vector vector, int row, Double value) {
    if (value == null) {
      vector.setNull(row);
    } else {
      vector.setSafe(row, value);
    }
  }

  static void set(BigIntVector vector, int row, Long value) {
    if (value == null) {
      vector.setNull(row);
    } else {
      vector.setSafe(row, value);
    }
  }
}
