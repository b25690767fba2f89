package io.rollscope.sdk.internal.encode;

import java.util.Arrays;

/** Writes protobuf. */
public final class ProtobufSink implements Sink {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final Bytes out = new Bytes();
  private int[] openAt = new int[16];
  private int depth;

  private void tag(int field, int type) {
    out.addVarint(field << 3 | type);
  }

  @Override
  public void open(int field, String name) {
    openElement(field);
  }

  @Override
  public void openElement(int field) {
    tag(field, BYTES);
    if (depth == openAt.length) {
      openAt = Arrays.copyOf(openAt, 2 * depth);
    }
    openAt[depth++] = out.size();
    out.add(0);
  }

  @Override
  public void close() {
    out.setLength(openAt[--depth]);
  }

  @Override
  public void openList(String name) {}

  @Override
  public void closeList() {}

  @Override
  public void text(int field, String name, String value) {
    tag(field, BYTES);
    int at = out.size();
    out.add(0);
    out.addUtf8(value);
    out.setLength(at);
  }

  @Override
  public void id(int field, String name, long id) {
    tag(field, BYTES);
    out.add(8);
    out.addBigEndian(id);
  }

  @Override
  public void id(int field, String name, long high, long low) {
    tag(field, BYTES);
    out.add(16);
    out.addBigEndian(high);
    out.addBigEndian(low);
  }

  @Override
  public void fixed64(int field, String name, long value) {
    tag(field, FIXED64);
    out.addLittleEndian(value, 8);
  }

  @Override
  public void fixed32(int field, String name, int value) {
    tag(field, FIXED32);
    out.addLittleEndian(value, 4);
  }

  @Override
  public void int64(int field, String name, long value) {
    tag(field, VARINT);
    out.addVarint(value);
  }

  @Override
  public void int32(int field, String name, int value) {
    int64(field, name, value);
  }

  @Override
  public void real(int field, String name, double value) {
    fixed64(field, name, Double.doubleToRawLongBits(value));
  }

  @Override
  public void flag(int field, String name, boolean value) {
    int64(field, name, value ? 1 : 0);
  }

  @Override
  public void fixed64s(int field, String name, long[] values) {
    tag(field, BYTES);
    out.addVarint(8L * values.length);
    for (long value : values) {
      out.addLittleEndian(value, 8);
    }
  }

  @Override
  public void reals(int field, String name, double[] values) {
    tag(field, BYTES);
    out.addVarint(8L * values.length);
    for (double value : values) {
      out.addLittleEndian(Double.doubleToRawLongBits(value), 8);
    }
  }

  @Override
  public int size() {
    return out.size();
  }

  @Override
  public byte[] take() {
    return out.take();
  }
}
