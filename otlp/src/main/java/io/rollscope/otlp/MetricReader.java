package io.rollscope.otlp;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** Reads {@code Metric} messages; what is refused or kept are their points. */
final class MetricReader implements ItemReader {
  private static final int NAME = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int HELP = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int UNIT = ProtoCursor.tagOf(3, ProtoCursor.BYTES);
  private static final int POINT = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int TEMPORALITY = ProtoCursor.tagOf(2, ProtoCursor.VARINT);
  private static final int MONOTONIC = ProtoCursor.tagOf(3, ProtoCursor.VARINT);
  private static final int MAX_HELP_BYTES = 1_024;
  private static final String[] TEMPORALITIES = {null, "delta", "cumulative"};

  private final Reading reading;
  private final PointReader points;

  MetricReader(Reading reading) {
    this.reading = reading;
    this.points = new PointReader(reading);
  }

  /**
   * A metric, apart from its points.
   *
   * @param series the part of its series' hashes that says which metric of which process it is
   */
  record Metric(
      String name,
      String help,
      String unit,
      PointKind kind,
      String temporality,
      Boolean monotonic,
      long series) {}

  @Override
  public void read(ProtoCursor c, Resource resource) throws MalformedException {
    String name = "";
    String help = null;
    String unit = "";
    PointKind kind = null;
    int from = 0;
    int to = 0;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      PointKind data = PointKind.ofField(tag);
      if (tag == NAME || tag == HELP || tag == UNIT || data != null) {
        int length = c.length();
        if (tag == NAME) {
          name = reading.strings.get(c.at(), c.at() + length);
        } else if (tag == HELP) {
          int shown = Math.min(length, MAX_HELP_BYTES);
          help = length == 0 ? null : reading.strings.get(c.at(), c.at() + shown);
        } else if (tag == UNIT) {
          unit = reading.strings.get(c.at(), c.at() + length);
        } else {
          kind = data;
          from = c.at();
          to = from + length;
        }
        c.pass(length);
      } else {
        c.skip(tag);
      }
    }
    if (kind == null) {
      return;
    }
    int end = c.end();
    c.reset(from, to);
    readData(c, new Metric(name, help, unit, kind, null, null, 0), resource);
    c.reset(end, end);
  }

  private void readData(ProtoCursor c, Metric named, Resource resource) throws MalformedException {
    PointKind kind = named.kind();
    int from = c.at();
    long temporality = 0;
    boolean monotonic = false;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == TEMPORALITY) {
        temporality = c.varint();
      } else if (tag == MONOTONIC) {
        monotonic = c.varint() != 0;
      } else {
        c.skip(tag);
      }
    }
    boolean known = kind.hasTemporality() && temporality > 0 && temporality < TEMPORALITIES.length;
    Metric metric =
        new Metric(
            named.name(),
            named.help(),
            named.unit().isEmpty() ? null : named.unit(),
            kind,
            known ? TEMPORALITIES[(int) temporality] : null,
            kind == PointKind.SUM ? monotonic : null,
            SeriesHash.mix(resource.seriesHash(), SeriesHash.text(named.name())));
    c.reset(from, c.end());
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == POINT) {
        int outer = c.enter();
        points.read(c, metric, resource);
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }
}
