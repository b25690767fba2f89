package io.rollscope.otlp.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes a protobuf message field by field; a message in it between {@link #begin} and end. */
public final class ProtoWriter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ID =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int length;

  public ProtoWriter(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  public int length() {
    return length;
  }

  public byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  public void varint(int field, long value) {
    tag(field, ProtoCursor.VARINT);
    putVarint(value);
  }

  public void fixed32(int field, int value) {
    tag(field, ProtoCursor.FIXED32);
    room(4);
    for (int i = 0; i < 4; i++) {
      bytes[length++] = (byte) (value >>> 8 * i);
    }
  }

  public void fixed64(int field, long value) {
    tag(field, ProtoCursor.FIXED64);
    room(8);
    LONG.set(bytes, length, value);
    length += 8;
  }

  public void float64(int field, double value) {
    fixed64(field, Double.doubleToRawLongBits(value));
  }

  /** A span's id: eight bytes, the highest first. */
  public void id(int field, long id) {
    tag(field, ProtoCursor.BYTES);
    putVarint(8);
    putId(id);
  }

  /** A trace's id: sixteen bytes. */
  public void id(int field, long high, long low) {
    tag(field, ProtoCursor.BYTES);
    putVarint(16);
    putId(high);
    putId(low);
  }

  public void string(int field, String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    bytes(field, utf8, 0, utf8.length);
  }

  public void bytes(int field, byte[] b, int from, int to) {
    tag(field, ProtoCursor.BYTES);
    putVarint(to - from);
    room(to - from);
    System.arraycopy(b, from, bytes, length, to - from);
    length += to - from;
  }

  /** Adds whole fields as they are. */
  public void fields(byte[] b, int from, int to) {
    room(to - from);
    System.arraycopy(b, from, bytes, length, to - from);
    length += to - from;
  }

  /** Begins a message in this one; returns what {@link #end} needs. */
  public int begin(int field) {
    tag(field, ProtoCursor.BYTES);
    room(1);
    return ++length;
  }

  /** Ends it: one byte was kept free for its length, more are made room for. */
  public void end(int mark) {
    int size = length - mark;
    int more = widthOf(size) - 1;
    if (more > 0) {
      room(more);
      System.arraycopy(bytes, mark, bytes, mark + more, size);
    }
    int behind = length + more;
    length = mark - 1;
    putVarint(size);
    length = behind;
  }

  private static int widthOf(int size) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(size)) / 7);
  }

  private void tag(int field, int wireType) {
    putVarint(ProtoCursor.tagOf(field, wireType));
  }

  private void putId(long id) {
    room(8);
    ID.set(bytes, length, id);
    length += 8;
  }

  private void putVarint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      long wanted = Math.max(2L * bytes.length, (long) length + more);
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
    }
  }
}
