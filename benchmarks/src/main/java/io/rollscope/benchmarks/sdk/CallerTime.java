package io.rollscope.benchmarks.sdk;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** Processor time of the measuring thread, which other load on the machine hardly changes. */
final class CallerTime {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Double> perSpan = new ArrayList<>();
  private long before;

  void start() {
    before = threads.getCurrentThreadCpuTime();
  }

  void stop(int spans) {
    perSpan.add((threads.getCurrentThreadCpuTime() - before) / (double) spans);
  }

  /** Of the second half, when everything is compiled. */
  double medianNs() {
    List<Double> warm = perSpan.subList(perSpan.size() / 2, perSpan.size());
    return warm.stream().sorted().skip(warm.size() / 2).findFirst().orElse(Double.NaN);
  }
}
