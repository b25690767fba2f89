package io.rollscope.store;

import io.rollscope.otlp.wire.ProtoWriter;

/** A metrics request of one process, point by point. */
final class Points {
  private static final int GAUGE = 5;
  private static final int SUM = 7;
  private static final int HISTOGRAM = 9;
  private static final int EXPONENTIAL = 10;
  private static final int DELTA = 1;
  private static final int CUMULATIVE = 2;

  private final ProtoWriter out = new ProtoWriter(1_024);
  private final int resourceMetrics;
  private final int scope;

  private Points(String run, String instance, boolean scraped) {
    resourceMetrics = out.begin(1);
    int resource = out.begin(1);
    label(1, "service.name", "trainer");
    label(1, "service.instance.id", instance);
    if (run != null) {
      label(1, "rl.run.id", run);
    }
    if (scraped) {
      label(1, "rollscope.scraped", "1");
    }
    out.end(resource);
    scope = out.begin(2);
  }

  static Points of(String run, String instance) {
    return new Points(run, instance, false);
  }

  static Points scraped(String run, String instance) {
    return new Points(run, instance, true);
  }

  Points gauge(String name, double at, double value, String... labels) {
    return number(name, GAUGE, 0, false, -1, at, value, labels);
  }

  /** A counter that counts since then. */
  Points counter(String name, double start, double at, double value, String... labels) {
    return number(name, SUM, CUMULATIVE, true, start, at, value, labels);
  }

  /** An increment of a counter. */
  Points delta(String name, double start, double at, double value, String... labels) {
    return number(name, SUM, DELTA, true, start, at, value, labels);
  }

  private Points number(
      String name,
      int kind,
      int temporality,
      boolean monotonic,
      double start,
      double at,
      double value,
      String... labels) {
    int metric = out.begin(2);
    out.string(1, name);
    out.string(2, "About " + name + ".");
    int data = out.begin(kind);
    int point = out.begin(1);
    times(start, at);
    out.float64(4, value);
    labels(7, labels);
    out.end(point);
    aggregation(temporality, monotonic);
    out.end(data);
    out.end(metric);
    return this;
  }

  /** The gauge has no value any more. */
  Points stale(String name, double at, String... labels) {
    int metric = out.begin(2);
    out.string(1, name);
    int data = out.begin(GAUGE);
    int point = out.begin(1);
    times(-1, at);
    labels(7, labels);
    out.varint(8, 1);
    out.end(point);
    out.end(data);
    out.end(metric);
    return this;
  }

  /** With bounds 1, 2 and 5. */
  Points histogram(
      String name, boolean delta, double start, double at, double sum, long... counts) {
    return histogram(name, delta, start, at, sum, new double[] {1, 2, 5}, counts);
  }

  Points histogram(
      String name,
      boolean delta,
      double start,
      double at,
      double sum,
      double[] bounds,
      long[] counts,
      String... labels) {
    int metric = out.begin(2);
    out.string(1, name);
    int data = out.begin(HISTOGRAM);
    int point = out.begin(1);
    times(start, at);
    long count = 0;
    for (long n : counts) {
      count += n;
      out.fixed64(6, n);
    }
    out.fixed64(4, count);
    out.float64(5, sum);
    for (double bound : bounds) {
      out.float64(7, bound);
    }
    labels(9, labels);
    out.end(point);
    aggregation(delta ? DELTA : CUMULATIVE, false);
    out.end(data);
    out.end(metric);
    return this;
  }

  /** Cumulative, of that scale, with buckets from that one on. */
  Points exponential(
      String name, double start, double at, double sum, int scale, int offset, long... counts) {
    int metric = out.begin(2);
    out.string(1, name);
    int data = out.begin(EXPONENTIAL);
    int point = out.begin(1);
    times(start, at);
    long count = 0;
    for (long n : counts) {
      count += n;
    }
    out.fixed64(4, count);
    out.float64(5, sum);
    out.varint(6, scale << 1 ^ scale >> 31);
    int buckets = out.begin(8);
    out.varint(1, offset << 1 ^ offset >> 31);
    for (long n : counts) {
      out.varint(2, n);
    }
    out.end(buckets);
    out.end(point);
    aggregation(CUMULATIVE, false);
    out.end(data);
    out.end(metric);
    return this;
  }

  private void times(double start, double at) {
    if (start >= 0) {
      out.fixed64(2, Sender.at(start));
    }
    out.fixed64(3, Sender.at(at));
  }

  private void aggregation(int temporality, boolean monotonic) {
    if (temporality != 0) {
      out.varint(2, temporality);
    }
    if (monotonic) {
      out.varint(3, 1);
    }
  }

  /** Names and values in turn; a value that is a whole number is sent as one. */
  private void labels(int field, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      label(field, labels[i], labels[i + 1]);
    }
  }

  private void label(int field, String name, String value) {
    int entry = out.begin(field);
    out.string(1, name);
    int any = out.begin(2);
    if (value.matches("\\d{1,18}")) {
      out.varint(3, Long.parseLong(value));
    } else {
      out.string(1, value);
    }
    out.end(any);
    out.end(entry);
  }

  byte[] build() {
    out.end(scope);
    out.end(resourceMetrics);
    return out.toBytes();
  }
}
