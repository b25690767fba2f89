package io.rollscope.sdk;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.metric.Metric;
import io.rollscope.sdk.internal.metric.Series;
import io.rollscope.sdk.internal.span.Coordinates;
import io.rollscope.sdk.internal.span.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A metric with some of its labels given. Keep it where values come often. */
abstract class Instrument {
  private static final int MAX_LABEL = 256;

  private final Metric metric;
  private final List<String> labels;
  private volatile Series series;

  /**
   * @param metric null when the SDK is off
   */
  Instrument(Metric metric, List<String> labels) {
    this.metric = metric;
    this.labels = labels;
  }

  final boolean isOff() {
    return metric == null;
  }

  final Metric metric() {
    return metric;
  }

  /** Its labels and another one, by key. */
  final List<String> labelsAnd(String key, String value) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < labels.size(); i += 2) {
      all.put(labels.get(i), labels.get(i + 1));
    }
    all.put(
        key == null ? "null" : Values.cut(key, MAX_LABEL),
        value == null ? "" : Values.cut(value, MAX_LABEL));
    List<String> flat = new ArrayList<>(2 * all.size());
    all.forEach(
        (k, v) -> {
          flat.add(k);
          flat.add(v);
        });
    return List.copyOf(flat);
  }

  /** At the training step of the batch around it, if there is one. */
  final void take(double value) {
    if (metric != null) {
      take(value, Coordinates.in(Context.current()).trainStep());
    }
  }

  final void take(double value, Long step) {
    if (metric != null) {
      Series known = series;
      if (known == null) {
        known = metric.series(labels);
        series = known;
      }
      known.record(value, step);
    }
  }
}
