package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.text.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What the last scrape of a target found: by it resets of counters are told, and series that are
 * gone.
 */
final class SeriesMemory {
  private static final class Known {
    private double last;
    private long startNs;
    private long timeNs;
    private int round;
    private boolean ownTime;
  }

  private final Map<SeriesKey, Known> series = new HashMap<>();
  private int round;

  int size() {
    return series.size();
  }

  void beginScrape() {
    round++;
  }

  /** The point of a series, or null if this scrape has it already. */
  Point take(SeriesKey key, Measure measure, long scrapeNs) {
    Known known = series.computeIfAbsent(key, k -> new Known());
    if (known.round == round) {
      return null;
    }
    double now = PointValue.growing(key.kind(), measure.value());
    if (known.round > 0 && now < known.last) {
      known.startNs = known.timeNs;
    }
    known.ownTime = measure.timeNs() != Sample.NOW;
    long timeNs = known.ownTime ? measure.timeNs() : scrapeNs;
    boolean told = measure.createdNs() > 0 && measure.createdNs() <= timeNs;
    known.last = now;
    known.timeNs = timeNs;
    known.round = round;
    long startNs = told ? measure.createdNs() : known.startNs;
    return new Point(key, measure.unit(), startNs, timeNs, measure.value());
  }

  /** Points that say of series this scrape does not have that they are gone; then forgets them. */
  List<Point> gone(long scrapeNs) {
    List<Point> gone = new ArrayList<>();
    Iterator<Map.Entry<SeriesKey, Known>> all = series.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<SeriesKey, Known> one = all.next();
      if (one.getValue().round != round) {
        // Who writes times himself says when it ends, as in Prometheus.
        if (!one.getValue().ownTime) {
          gone.add(new Point(one.getKey(), null, 0, scrapeNs, null));
        }
        all.remove();
      }
    }
    return gone;
  }
}
