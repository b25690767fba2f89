package io.rollscope.sdk.internal.encode;

import io.rollscope.sdk.internal.metric.Distribution;
import io.rollscope.sdk.internal.metric.Metric;
import io.rollscope.sdk.internal.metric.Point;
import io.rollscope.sdk.internal.span.Coordinates;
import io.rollscope.sdk.internal.span.Library;
import java.util.List;

/** Writes metrics: one message for all points of a metric. */
public final class PointWriting {
  private static final int CUMULATIVE = 2;

  private PointWriting() {}

  public static void write(Request request, Metric metric, List<Point> points) {
    Sink out = request.next(Library.OWN, points.size());
    out.openElement(Request.ITEMS);
    out.text(1, "name", metric.name());
    text(out, 2, "description", metric.meaning().description());
    text(out, 3, "unit", metric.meaning().unit());
    switch (metric.kind()) {
      case GAUGE -> {
        out.open(5, "gauge");
        points(out, points);
      }
      case COUNTER -> {
        out.open(7, "sum");
        points(out, points);
        out.int32(2, "aggregationTemporality", CUMULATIVE);
        out.flag(3, "isMonotonic", true);
      }
      case HISTOGRAM -> {
        out.open(9, "histogram");
        points(out, points);
        out.int32(2, "aggregationTemporality", CUMULATIVE);
      }
    }
    out.close();
    out.close();
  }

  private static void text(Sink out, int field, String name, String value) {
    if (!value.isEmpty()) {
      out.text(field, name, value);
    }
  }

  private static void points(Sink out, List<Point> points) {
    out.openList("dataPoints");
    for (Point point : points) {
      out.openElement(1);
      if (point.startNs() != 0) {
        out.fixed64(2, "startTimeUnixNano", point.startNs());
      }
      out.fixed64(3, "timeUnixNano", point.timeNs());
      if (point.distribution() == null) {
        out.real(4, "asDouble", point.value());
        attributes(out, 7, point);
      } else {
        distribution(out, point.distribution());
        attributes(out, 9, point);
      }
      out.close();
    }
    out.closeList();
  }

  private static void distribution(Sink out, Distribution values) {
    out.fixed64(4, "count", values.count());
    out.real(5, "sum", values.sum());
    out.fixed64s(6, "bucketCounts", values.counts());
    out.reals(7, "explicitBounds", values.bounds());
    if (values.count() > 0) {
      out.real(11, "min", values.min());
      out.real(12, "max", values.max());
    }
  }

  private static void attributes(Sink out, int field, Point point) {
    List<String> labels = point.labels();
    out.openList("attributes");
    AttributeWriting writing = new AttributeWriting(out, field);
    for (int i = 0; i < labels.size(); i += 2) {
      writing.one(labels.get(i), labels.get(i + 1));
    }
    writing.one(Coordinates.TRAIN_STEP, point.step());
    out.closeList();
  }
}
