package io.rollscope.server.scrape.points;

import io.rollscope.otlp.wire.ProtoWriter;
import io.rollscope.server.scrape.points.PointValue.Kind;
import io.rollscope.store.Incoming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes points as an OTLP export request: a resource per run, neighbours in one metric. */
final class MetricsRequest {
  private static final int CUMULATIVE = 2;
  private static final int NO_RECORDED_VALUE = 1;

  private final ProtoWriter out;
  private final Map<String, Long> steps;

  private MetricsRequest(int points, Map<String, Long> steps) {
    this.out = new ProtoWriter(256 + 128 * points);
    this.steps = steps;
  }

  /**
   * The request behind {@link Incoming#HEAD} free bytes.
   *
   * @param job becomes {@code service.name}
   * @param target becomes {@code service.instance.id}
   * @param steps the train step of each run, where known
   */
  static byte[] write(List<Point> points, String job, String target, Map<String, Long> steps) {
    MetricsRequest request = new MetricsRequest(points.size(), steps);
    request.out.fields(new byte[Incoming.HEAD], 0, Incoming.HEAD);
    Map<String, List<Point>> byRun =
        points.stream()
            .collect(
                Collectors.groupingBy(
                    p -> p.series().run(), LinkedHashMap::new, Collectors.toList()));
    byRun.forEach((run, some) -> request.resource(run, job, target, some));
    return request.out.toBytes();
  }

  private void resource(String run, String job, String target, List<Point> points) {
    int entry = out.begin(1);
    int resource = out.begin(1);
    text(1, "service.name", job);
    text(1, "service.instance.id", target);
    text(1, "rl.run.id", run);
    text(1, "rollscope.scraped", "1");
    out.end(resource);
    int scope = out.begin(2);
    for (int from = 0; from < points.size(); ) {
      int to = from + 1;
      while (to < points.size() && isSameMetric(points.get(from), points.get(to))) {
        to++;
      }
      metric(points.subList(from, to), steps.get(run));
      from = to;
    }
    out.end(scope);
    out.end(entry);
  }

  private static boolean isSameMetric(Point one, Point other) {
    return one.series().kind() == other.series().kind()
        && one.series().name().equals(other.series().name());
  }

  private void metric(List<Point> points, Long step) {
    Point first = points.get(0);
    int metric = out.begin(2);
    out.string(1, first.series().name());
    if (first.unit() != null) {
      out.string(3, first.unit());
    }
    Kind kind = first.series().kind();
    int data =
        out.begin(
            switch (kind) {
              case GAUGE -> 5;
              case COUNTER -> 7;
              case HISTOGRAM -> 9;
              case SUMMARY -> 11;
            });
    points.forEach(point -> point(point, step));
    if (kind == Kind.COUNTER || kind == Kind.HISTOGRAM) {
      out.varint(2, CUMULATIVE);
    }
    if (kind == Kind.COUNTER) {
      out.varint(3, 1);
    }
    out.end(data);
    out.end(metric);
  }

  private void point(Point point, Long step) {
    boolean histogram = point.series().kind() == Kind.HISTOGRAM;
    int attributes = histogram ? 9 : 7;
    int message = out.begin(1);
    if (point.startNs() > 0) {
      out.fixed64(2, point.startNs());
    }
    out.fixed64(3, point.timeNs());
    if (step != null) {
      number(attributes, "rl.train_step", step);
    }
    point.series().labels().forEach((name, value) -> text(attributes, name, value));
    if (point.value() == null) {
      out.varint(histogram ? 10 : 8, NO_RECORDED_VALUE);
    } else {
      value(point.value());
    }
    out.end(message);
  }

  private void value(PointValue value) {
    if (value instanceof PointValue.Single number) {
      out.float64(4, number.value());
    } else if (value instanceof PointValue.Histogram histogram) {
      totals(histogram.count(), histogram.sum());
      for (long count : histogram.counts()) {
        out.fixed64(6, count);
      }
      for (double bound : histogram.bounds()) {
        out.float64(7, bound);
      }
    } else if (value instanceof PointValue.Summary summary) {
      totals(summary.count(), summary.sum());
      for (int i = 0; i < summary.quantiles().length; i++) {
        int quantile = out.begin(6);
        out.float64(1, summary.quantiles()[i]);
        out.float64(2, summary.values()[i]);
        out.end(quantile);
      }
    }
  }

  private void totals(long count, double sum) {
    out.fixed64(4, count);
    if (!Double.isNaN(sum)) {
      out.float64(5, sum);
    }
  }

  private void text(int field, String key, String value) {
    int entry = out.begin(field);
    out.string(1, key);
    int any = out.begin(2);
    out.string(1, value);
    out.end(any);
    out.end(entry);
  }

  private void number(int field, String key, long value) {
    int entry = out.begin(field);
    out.string(1, key);
    int any = out.begin(2);
    out.varint(3, value);
    out.end(any);
    out.end(entry);
  }
}
