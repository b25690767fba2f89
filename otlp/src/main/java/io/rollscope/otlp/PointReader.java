package io.rollscope.otlp;

import static io.rollscope.otlp.wire.ProtoCursor.BYTES;
import static io.rollscope.otlp.wire.ProtoCursor.FIXED64;
import static io.rollscope.otlp.wire.ProtoCursor.VARINT;
import static io.rollscope.otlp.wire.ProtoCursor.tagOf;

import io.rollscope.otlp.MetricReader.Metric;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.MetricPoint.Exponential;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** Reads data points of all five kinds. */
final class PointReader {
  /** The same in all kinds. */
  private static final int START = tagOf(2, FIXED64);

  private static final int TIME = tagOf(3, FIXED64);

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
  private static final long NO_RECORDED_VALUE = 1;

  private final Reading reading;
  private final KnownAttributes known;
  private final Buckets counts = new Buckets();
  private final Buckets bounds = new Buckets();
  private final Buckets values = new Buckets();
  private long start;
  private long time;
  private Double value;
  private long count;
  private Double sum;
  private Double min;
  private Double max;
  private int scale;
  private long zeroCount;
  private double zeroThreshold;
  private int offset;
  private int negativeOffset;
  private long flags;
  private int attributesFrom;
  private int attributesTo;

  PointReader(Reading reading) {
    this.reading = reading;
    this.known = reading.known;
  }

  /** Reads the point that the cursor has entered. */
  void read(ProtoCursor c, Metric metric, Resource resource) throws MalformedException {
    clear();
    int attribute = tagOf(metric.kind().attributes(), BYTES);
    int before = c.at();
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == attribute) {
        known.read(c);
        attributesFrom = attributesTo == 0 ? before : attributesFrom;
        attributesTo = c.at();
      } else if (tag == START) {
        start = c.fixed64();
      } else if (tag == TIME) {
        time = c.fixed64();
      } else if (tag == metric.kind().flagsTag()) {
        flags = c.varint();
      } else {
        readField(c, tag, metric.kind());
      }
      before = c.at();
    }
    Refusal wrong = refusal(metric, resource);
    if (wrong != null) {
      reading.refuse(wrong);
    } else {
      reading.points.add(point(metric, resource));
    }
  }

  private void clear() {
    known.clear();
    counts.clear();
    bounds.clear();
    values.clear();
    start = 0;
    time = 0;
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
    flags = 0;
    attributesFrom = 0;
    attributesTo = 0;
  }

  private void readField(ProtoCursor c, int tag, PointKind kind) throws MalformedException {
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

  private Refusal refusal(Metric metric, Resource resource) {
    if (reading.isFull()) {
      return Refusal.TOO_MANY;
    }
    if (metric.name().isEmpty()) {
      return Refusal.NO_NAME;
    }
    if (time == 0) {
      return Refusal.NO_TIME;
    }
    if (reading.isTooLate(time) || reading.isTooLate(start)) {
      return Refusal.FUTURE;
    }
    boolean fits =
        metric.kind() != PointKind.HISTOGRAM
            || counts.count() == 0 && bounds.count() == 0
            || counts.count() == bounds.count() + 1;
    if (!fits) {
      return Refusal.BUCKETS;
    }
    if (Math.max(counts.count(), Math.max(bounds.count(), values.count())) > Buckets.MAX) {
      return Refusal.TOO_MANY_BUCKETS;
    }
    boolean tooLong =
        metric.name().length() > KnownAttributes.MAX_IDENTITY_BYTES
            || known.hasTooLong()
            || resource.hasTooLong();
    return tooLong ? Refusal.LONG_NAME : null;
  }

  private MetricPoint point(Metric metric, Resource resource) {
    PointKind kind = metric.kind();
    boolean empty = (flags & NO_RECORDED_VALUE) != 0;
    boolean number = kind.isNumber();
    boolean histogram = kind == PointKind.HISTOGRAM || kind == PointKind.EXPONENTIAL;
    boolean summary = kind == PointKind.SUMMARY;
    return new MetricPoint(
        metric.name(),
        metric.unit(),
        kind.word(),
        metric.temporality(),
        metric.monotonic(),
        start,
        time,
        empty ? null : value,
        number || empty ? null : (Long) count,
        summary && sum == null && !empty ? (Double) 0.0 : sum,
        min,
        max,
        kind == PointKind.HISTOGRAM || summary ? bounds.toDoubles() : null,
        histogram ? counts.toLongs() : null,
        summary ? values.toDoubles() : null,
        kind == PointKind.EXPONENTIAL
            ? new Exponential(
                scale, zeroCount, zeroThreshold, offset, negativeOffset, values.toLongs())
            : null,
        known.integer(Key.TRAIN_STEP),
        new Identity(known, resource).run(),
        resource.origin(),
        attributesFrom == attributesTo
            ? Attributes.NONE
            : new Attributes(reading.bytes, attributesFrom, attributesTo, kind.attributes()));
  }
}
