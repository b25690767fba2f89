package io.rollscope.otlp;

import static io.rollscope.otlp.wire.ProtoCursor.BYTES;
import static io.rollscope.otlp.wire.ProtoCursor.FIXED64;
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

  private static final long NO_RECORDED_VALUE = 1;

  private final Reading reading;
  private final KnownAttributes known;
  private final PointValues of = new PointValues();
  private long start;
  private long time;
  private long flags;
  private int attributesFrom;
  private int attributesTo;
  private long labels;
  private long step;

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
        readLabel(c);
        attributesFrom = attributesTo == 0 ? before : attributesFrom;
        attributesTo = c.at();
      } else if (tag == START) {
        start = c.fixed64();
      } else if (tag == TIME) {
        time = c.fixed64();
      } else if (tag == metric.kind().flagsTag()) {
        flags = c.varint();
      } else {
        of.read(c, tag, metric.kind());
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

  /** The order of labels does not matter to their hash, and the step is none. */
  private void readLabel(ProtoCursor c) throws MalformedException {
    int from = c.at();
    Key key = known.read(c);
    long hash = SeriesHash.bytes(c.bytes(), from, c.at());
    if (key == Key.TRAIN_STEP) {
      step = hash;
    } else {
      labels += hash;
    }
  }

  private void clear() {
    known.clear();
    of.clear();
    start = 0;
    time = 0;
    flags = 0;
    attributesFrom = 0;
    attributesTo = 0;
    labels = 0;
    step = 0;
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
            || of.counts.count() == 0 && of.bounds.count() == 0
            || of.counts.count() == of.bounds.count() + 1;
    if (!fits) {
      return Refusal.BUCKETS;
    }
    if (Math.max(of.counts.count(), Math.max(of.bounds.count(), of.values.count())) > Buckets.MAX) {
      return Refusal.TOO_MANY_BUCKETS;
    }
    if (metric.name().length() > LongNames.MAX_BYTES) {
      return Refusal.LONG_NAME;
    }
    reading.countCut(known.tooLong());
    return reading.isAskable(new Identity(known, resource).run(), resource, null)
        ? null
        : Refusal.ODD_ID;
  }

  private MetricPoint point(Metric metric, Resource resource) {
    PointKind kind = metric.kind();
    boolean stale = (flags & NO_RECORDED_VALUE) != 0;
    boolean histogram = kind == PointKind.HISTOGRAM || kind == PointKind.EXPONENTIAL;
    boolean summary = kind == PointKind.SUMMARY;
    Long trainStep = known.integer(Key.TRAIN_STEP);
    long labelSet = SeriesHash.mix(0, trainStep == null ? labels + step : labels);
    if (stale) {
      return stale(metric, resource, trainStep, labelSet);
    }
    return new MetricPoint(
        metric.name(),
        metric.help(),
        metric.unit(),
        kind.word(),
        metric.temporality(),
        metric.monotonic(),
        start,
        time,
        of.value,
        kind.isNumber() ? null : (Long) of.count,
        summary && of.sum == null ? (Double) 0.0 : of.sum,
        of.min,
        of.max,
        kind == PointKind.HISTOGRAM || summary ? of.bounds.toDoubles() : null,
        histogram ? of.counts.toLongs() : null,
        summary ? of.values.toDoubles() : null,
        kind == PointKind.EXPONENTIAL
            ? new Exponential(
                of.scale,
                of.zeroCount,
                of.zeroThreshold,
                of.offset,
                of.negativeOffset,
                of.values.toLongs())
            : null,
        false,
        trainStep,
        resource.isScraped(),
        labelSet,
        SeriesHash.mix(metric.series(), labelSet),
        new Identity(known, resource).run(),
        resource.origin(),
        attributes(kind));
  }

  /** What else it holds means nothing. */
  private MetricPoint stale(Metric metric, Resource resource, Long trainStep, long labelSet) {
    return new MetricPoint(
        metric.name(),
        metric.help(),
        metric.unit(),
        metric.kind().word(),
        metric.temporality(),
        metric.monotonic(),
        start,
        time,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        true,
        trainStep,
        resource.isScraped(),
        labelSet,
        SeriesHash.mix(metric.series(), labelSet),
        new Identity(known, resource).run(),
        resource.origin(),
        attributes(metric.kind()));
  }

  private Attributes attributes(PointKind kind) {
    return attributesFrom == attributesTo
        ? Attributes.NONE
        : reading.reduced(
            new Attributes(reading.bytes, attributesFrom, attributesTo, kind.attributes()));
  }
}
