package io.rollscope.otlp;

import static io.rollscope.otlp.wire.ProtoCursor.BYTES;
import static io.rollscope.otlp.wire.ProtoCursor.FIXED64;
import static io.rollscope.otlp.wire.ProtoCursor.VARINT;
import static io.rollscope.otlp.wire.ProtoCursor.tagOf;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** What a data point measures, which is different for each kind. Used again for the next one. */
final class PointValues {
  private static final int NUMBER_DOUBLE = tagOf(4, FIXED64);
  private static final int NUMBER_INT = tagOf(6, FIXED64);
  private static final int COUNT = tagOf(4, FIXED64);
  private static final int SUM = tagOf(5, FIXED64);
  private static final int HISTOGRAM_COUNTS = 6;
  private static final int HISTOGRAM_BOUNDS = 7;
  private static final int HISTOGRAM_MIN = tagOf(11, FIXED64);
  private static final int HISTOGRAM_MAX = tagOf(12, FIXED64);
  private static final int SCALE = tagOf(6, VARINT);
  private static final int ZERO_COUNT = tagOf(7, FIXED64);
  private static final int POSITIVE = tagOf(8, BYTES);
  private static final int NEGATIVE = tagOf(9, BYTES);
  private static final int EXPONENTIAL_MIN = tagOf(12, FIXED64);
  private static final int EXPONENTIAL_MAX = tagOf(13, FIXED64);
  private static final int ZERO_THRESHOLD = tagOf(14, FIXED64);
  private static final int BUCKETS_OFFSET = tagOf(1, VARINT);
  private static final int BUCKETS_COUNTS = 2;
  private static final int QUANTILE = tagOf(6, BYTES);
  private static final int QUANTILE_AT = tagOf(1, FIXED64);
  private static final int QUANTILE_VALUE = tagOf(2, FIXED64);

  final Buckets counts = new Buckets();
  final Buckets bounds = new Buckets();
  final Buckets values = new Buckets();
  Double value;
  long count;
  Double sum;
  Double min;
  Double max;
  int scale;
  long zeroCount;
  double zeroThreshold;
  int offset;
  int negativeOffset;

  void clear() {
    counts.clear();
    bounds.clear();
    values.clear();
    value = null;
    count = 0;
    sum = null;
    min = null;
    max = null;
    scale = 0;
    zeroCount = 0;
    zeroThreshold = 0;
    offset = 0;
    negativeOffset = 0;
  }

  /** Reads a field, or passes over it. */
  void read(ProtoCursor c, int tag, PointKind kind) throws MalformedException {
    boolean taken =
        switch (kind) {
          case GAUGE, SUM -> readNumber(c, tag);
          case HISTOGRAM -> readHistogram(c, tag);
          case EXPONENTIAL -> readExponential(c, tag);
          case SUMMARY -> readSummary(c, tag);
        };
    if (!taken) {
      c.skip(tag);
    }
  }

  private boolean readNumber(ProtoCursor c, int tag) throws MalformedException {
    if (tag == NUMBER_DOUBLE) {
      value = c.float64();
    } else if (tag == NUMBER_INT) {
      value = (double) c.fixed64();
    } else {
      return false;
    }
    return true;
  }

  private boolean readHistogram(ProtoCursor c, int tag) throws MalformedException {
    if (tag == HISTOGRAM_MIN) {
      min = c.float64();
    } else if (tag == HISTOGRAM_MAX) {
      max = c.float64();
    } else {
      return readTotals(c, tag)
          || counts.readFixed(c, tag, HISTOGRAM_COUNTS)
          || bounds.readFixed(c, tag, HISTOGRAM_BOUNDS);
    }
    return true;
  }

  private boolean readTotals(ProtoCursor c, int tag) throws MalformedException {
    if (tag == COUNT) {
      count = c.fixed64();
    } else if (tag == SUM) {
      sum = c.float64();
    } else {
      return false;
    }
    return true;
  }

  private boolean readExponential(ProtoCursor c, int tag) throws MalformedException {
    if (tag == SCALE) {
      scale = zigzag(c.varint());
    } else if (tag == ZERO_COUNT) {
      zeroCount = c.fixed64();
    } else if (tag == POSITIVE) {
      offset = readBuckets(c, counts);
    } else if (tag == NEGATIVE) {
      negativeOffset = readBuckets(c, values);
    } else if (tag == EXPONENTIAL_MIN) {
      min = c.float64();
    } else if (tag == EXPONENTIAL_MAX) {
      max = c.float64();
    } else if (tag == ZERO_THRESHOLD) {
      zeroThreshold = c.float64();
    } else {
      return readTotals(c, tag);
    }
    return true;
  }

  private static int readBuckets(ProtoCursor c, Buckets into) throws MalformedException {
    int first = 0;
    int outer = c.enter();
    into.clear();
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == BUCKETS_OFFSET) {
        first = zigzag(c.varint());
      } else if (!into.readVarints(c, tag, BUCKETS_COUNTS)) {
        c.skip(tag);
      }
    }
    c.leave(outer);
    return first;
  }

  private static int zigzag(long bits) {
    int n = (int) bits;
    return n >>> 1 ^ -(n & 1);
  }

  private boolean readSummary(ProtoCursor c, int tag) throws MalformedException {
    if (tag != QUANTILE) {
      return readTotals(c, tag);
    }
    long quantile = 0;
    long at = 0;
    int outer = c.enter();
    for (int field = c.tag(); field != 0; field = c.tag()) {
      if (field == QUANTILE_AT) {
        quantile = c.fixed64();
      } else if (field == QUANTILE_VALUE) {
        at = c.fixed64();
      } else {
        c.skip(field);
      }
    }
    c.leave(outer);
    bounds.add(quantile);
    values.add(at);
    return true;
  }
}
