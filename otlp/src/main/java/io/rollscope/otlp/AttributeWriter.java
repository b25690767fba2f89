package io.rollscope.otlp;

import io.rollscope.otlp.wire.ProtoWriter;

/** Writes {@code KeyValue} fields. A null value writes nothing. */
final class AttributeWriter {
  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int STRING = 1;
  private static final int BOOL = 2;
  private static final int INT = 3;
  private static final int DOUBLE = 4;

  private AttributeWriter() {}

  static void write(ProtoWriter out, int field, String key, String value) {
    if (value != null) {
      int entry = out.begin(field);
      out.string(KEY, key);
      int any = out.begin(VALUE);
      out.string(STRING, value);
      out.end(any);
      out.end(entry);
    }
  }

  static void write(ProtoWriter out, int field, String key, Long value) {
    if (value != null) {
      int entry = out.begin(field);
      out.string(KEY, key);
      int any = out.begin(VALUE);
      out.varint(INT, value);
      out.end(any);
      out.end(entry);
    }
  }

  static void write(ProtoWriter out, int field, String key, double value) {
    int entry = out.begin(field);
    out.string(KEY, key);
    int any = out.begin(VALUE);
    out.float64(DOUBLE, value);
    out.end(any);
    out.end(entry);
  }

  static void write(ProtoWriter out, int field, String key, boolean value) {
    int entry = out.begin(field);
    out.string(KEY, key);
    int any = out.begin(VALUE);
    out.varint(BOOL, value ? 1 : 0);
    out.end(any);
    out.end(entry);
  }
}
