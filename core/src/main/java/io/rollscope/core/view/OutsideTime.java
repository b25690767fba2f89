package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.time.NanoSum;
import java.util.Map;
import java.util.TreeMap;

/** Whose spans lie outside their sessions, and for how long: a clock that is wrong shows so. */
final class OutsideTime {
  private final Map<String, NanoSum> byWorker = new TreeMap<>();

  /** Per worker that has a name: what of its spans lies outside the session just accounted for. */
  static Map<String, Long> of(SessionSpans spans, Accounting accounting) {
    if (accounting.outside() == 0) {
      return Map.of();
    }
    Map<String, Long> byWorker = new TreeMap<>();
    for (int i = 0; i < spans.count(); i++) {
      String worker = spans.isWork(i) ? spans.at(i).worker().label() : null;
      long nanos = worker == null ? 0 : accounting.outside(i);
      if (nanos > 0) {
        byWorker.merge(worker, nanos, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
      }
    }
    return byWorker;
  }

  void add(Map<String, Long> session) {
    session.forEach((worker, nanos) -> sum(worker).add(nanos));
  }

  void addAll(OutsideTime other) {
    other.byWorker.forEach((worker, sum) -> sum(worker).add(sum));
  }

  private NanoSum sum(String worker) {
    return byWorker.computeIfAbsent(worker, w -> new NanoSum());
  }

  /** The worker with the longest time, of equal ones the least name; null if there is none. */
  String most() {
    String most = null;
    for (Map.Entry<String, NanoSum> worker : byWorker.entrySet()) {
      if (most == null || worker.getValue().exceeds(byWorker.get(most))) {
        most = worker.getKey();
      }
    }
    return most;
  }
}
