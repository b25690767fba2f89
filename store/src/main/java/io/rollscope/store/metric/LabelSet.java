package io.rollscope.store.metric;

import io.rollscope.otlp.record.MetricPoint;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;

/** One label set of a metric: the series of all processes that have it. */
final class LabelSet {
  final NavigableMap<String, String> labels;
  final Map<Long, Series> series = new HashMap<>();

  /** When something was last heard of any, as of the last sweep. */
  long heardNs;

  /** Of processes that are gone, of earlier lives of the others, and all increments. */
  final Totals before = new Totals();

  LabelSet(NavigableMap<String, String> labels) {
    this.labels = labels;
  }

  /** Takes a point that is the newest of its series. */
  void take(Series one, MetricPoint point, BookMetric metric, long receivedNs) {
    if (!point.stale()) {
      add(one, point, Totals.of(point, metric.bounds), metric.addsUp());
    }
    one.receivedNs = receivedNs;
    one.timeNs = point.timeNs();
    one.stale = point.stale();
  }

  private void add(Series one, MetricPoint point, Totals now, boolean addsUp) {
    if ("delta".equals(point.temporality())) {
      before.add(now);
      one.last = new Totals();
      return;
    }
    if (one.last != null && addsUp && one.isReset(point, now)) {
      before.add(one.last);
    }
    one.last = now;
    one.startNs = point.startNs();
    one.quantiles = point.values() == null ? null : point.bounds();
    one.quantileValues = point.values();
  }

  /** Lets series go that were silent since then; what they added up to stays. Returns how many. */
  int forgetSilent(long beforeNs, BookMetric metric) {
    int gone = 0;
    Iterator<Series> all = series.values().iterator();
    while (all.hasNext()) {
      Series one = all.next();
      if (one.receivedNs < beforeNs) {
        if (one.last != null && metric.addsUp()) {
          before.add(one.last);
        }
        all.remove();
        gone++;
      }
    }
    return gone;
  }
}
