package io.rollscope.otlp.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Walks the fields of a protobuf message without making objects of them. Never reads beyond the
 * message it is in, whatever the bytes say.
 *
 * <p>A message in a message is read between {@link #enter} and {@link #leave}.
 */
public final class ProtoCursor {
  /** Wire types, the lowest three bits of a tag. */
  public static final int VARINT = 0;

  public static final int FIXED64 = 1;
  public static final int BYTES = 2;
  public static final int FIXED32 = 5;

  private static final int GROUP = 3;
  private static final int END_GROUP = 4;
  private static final int MAX_GROUPS = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int base;
  private int at;
  private int end;

  /** A cursor at {@code from}; errors count bytes from there. */
  public ProtoCursor(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.base = from;
    this.at = from;
    this.end = to;
  }

  /** The tag of a field with a number and a wire type. */
  public static int tagOf(int field, int wireType) {
    return field << 3 | wireType;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Where the next byte is read. */
  public int at() {
    return at;
  }

  /** Where the current message ends. */
  public int end() {
    return end;
  }

  /** Goes to a message, or part of one, that was passed earlier. */
  public void reset(int from, int to) {
    at = from;
    end = to;
  }

  /** Tag of the next field; 0 at the end of the message. */
  public int tag() throws MalformedException {
    if (at >= end) {
      return 0;
    }
    int tag = bytes[at];
    if (tag >= 0) {
      at++;
    } else {
      int from = at;
      long wide = varint();
      if (wide >>> 32 != 0) {
        throw malformed(from, "tag " + wide, "at most 32 bits");
      }
      tag = (int) wide;
    }
    if (tag >>> 3 == 0) {
      throw malformed(at - 1, "field 0", "a field number from 1");
    }
    return tag;
  }

  public long varint() throws MalformedException {
    int from = at;
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw malformed(from, "end of message", "a whole number");
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw malformed(from, "a number of more than 10 bytes", "at most 10");
  }

  public long fixed64() throws MalformedException {
    require(8);
    long value = fixed64At(bytes, at);
    at += 8;
    return value;
  }

  static long fixed64At(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public double float64() throws MalformedException {
    return Double.longBitsToDouble(fixed64());
  }

  /** Length of what follows, which lies within the message. */
  public int length() throws MalformedException {
    int from = at;
    if (at < end && bytes[at] >= 0) {
      int length = bytes[at++];
      if (length <= end - at) {
        return length;
      }
      throw malformed(from, "length " + length, "at most " + (end - at));
    }
    long length = varint();
    if (length < 0 || length > end - at) {
      throw malformed(from, "length " + Long.toUnsignedString(length), "at most " + (end - at));
    }
    return (int) length;
  }

  /** Passes over bytes known to be there. */
  public void pass(int length) {
    at += length;
  }

  /** Goes into the message that begins here with its length; returns what {@link #leave} needs. */
  public int enter() throws MalformedException {
    int length = length();
    int outer = end;
    end = at + length;
    return outer;
  }

  /** Goes on behind the message. */
  public void leave(int outer) {
    at = end;
    end = outer;
  }

  /** Passes over the value of a field nobody asked for. */
  public void skip(int tag) throws MalformedException {
    skip(tag, 0);
  }

  private void skip(int tag, int groups) throws MalformedException {
    switch (tag & 7) {
      case VARINT -> varint();
      case FIXED64 -> pass(require(8));
      case BYTES -> pass(length());
      case FIXED32 -> pass(require(4));
      case GROUP -> skipGroup(tag >>> 3, groups + 1);
      case END_GROUP -> throw malformed(at, "end of group " + (tag >>> 3), "its beginning before");
      default -> throw malformed(at, "wire type " + (tag & 7), "0 to 5");
    }
  }

  private void skipGroup(int field, int groups) throws MalformedException {
    if (groups > MAX_GROUPS) {
      throw malformed(at, "groups in groups: " + groups, "at most " + MAX_GROUPS);
    }
    while (true) {
      int tag = tag();
      if (tag == 0) {
        throw malformed(at, "end of message", "end of group " + field);
      }
      if (tag == tagOf(field, END_GROUP)) {
        return;
      }
      skip(tag, groups);
    }
  }

  private int require(int length) throws MalformedException {
    if (end - at < length) {
      throw malformed(at, (end - at) + " bytes left", length + " bytes");
    }
    return length;
  }

  /** What is wrong at a place, in the words of every error here. */
  public MalformedException malformed(int place, String found, String expected) {
    return new MalformedException(
        "byte " + (place - base) + ": " + found + " (expected: " + expected + ")");
  }
}
