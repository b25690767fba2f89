package io.rollscope.formats.chrome;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How a rewritten event lies in a run: a header with what it is sorted by and what is still to be
 * filled in, then the line.
 */
final class EventRecord {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Time in whole microseconds. */
  static final int WHOLE = 0;

  /** Length in ns of a slice that must nest; {@link #BEFORE_SLICES} or {@link #AFTER_SLICES}. */
  static final int LENGTH_NS = 8;

  /** Fraction of the microsecond and track, see {@link #place}. */
  static final int PLACE = 16;

  /** Where in the line the tid belongs, or -1. */
  static final int TID_AT = 24;

  /** Where in the line a whole-numbered duration stands, or -1. */
  static final int DUR_AT = 28;

  static final int SIZE = 32;

  static final int HEADER = 36;

  /** Ends of slices: what begins at the same moment comes after them. */
  static final long BEFORE_SLICES = Long.MAX_VALUE;

  /** All that is no slice: arrows bind to the slice that is already there. */
  static final long AFTER_SLICES = -1;

  private EventRecord() {}

  static long getLong(byte[] b, int at) {
    return (long) LONG.get(b, at);
  }

  static void putLong(byte[] b, int at, long value) {
    LONG.set(b, at, value);
  }

  static int getInt(byte[] b, int at) {
    return (int) INT.get(b, at);
  }

  static void putInt(byte[] b, int at, int value) {
    INT.set(b, at, value);
  }

  static boolean mustNest(long lengthNs) {
    return lengthNs >= 0 && lengthNs != BEFORE_SLICES;
  }

  /** What decides after the whole microseconds: their fraction, unsigned, then the track. */
  static long place(int parts, int track) {
    return (long) (parts ^ Integer.MIN_VALUE) << 32 | track;
  }

  static int parts(long place) {
    return (int) (place >> 32) ^ Integer.MIN_VALUE;
  }

  static int track(long place) {
    return (int) place;
  }

  /**
   * Whether a record a comes before a record b: by time and track; then the longer slice, which is
   * the outer one. Of equal slices the one written later is the outer: a scope is written when it
   * ends. All else keeps its order.
   *
   * @param later whether a stands behind b in the source
   */
  static boolean isBefore(
      long wholeA,
      long placeA,
      long lengthA,
      long wholeB,
      long placeB,
      long lengthB,
      boolean later) {
    if (wholeA != wholeB) {
      return wholeA < wholeB;
    }
    if (placeA != placeB) {
      return placeA < placeB;
    }
    if (lengthA != lengthB) {
      return lengthA > lengthB;
    }
    return later == mustNest(lengthA);
  }
}
