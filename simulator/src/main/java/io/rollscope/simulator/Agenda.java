package io.rollscope.simulator;

import java.io.IOException;
import java.util.PriorityQueue;

/** What will happen, in order of virtual time; things of the same time in order of entry. */
final class Agenda {

  /** Something that happens at its time. */
  interface Step {
    void run() throws IOException;
  }

  private record Entry(long timeNs, long order, Step step) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(timeNs, other.timeNs);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private long nowNs;
  private long order;

  long nowNs() {
    return nowNs;
  }

  int size() {
    return entries.size();
  }

  void after(double seconds, Step step) {
    entries.add(new Entry(nowNs + Math.round(seconds * 1e9), order++, step));
  }

  /** Virtual time of the next step; {@link Long#MAX_VALUE} when nothing is left. */
  long nextNs() {
    Entry next = entries.peek();
    return next == null ? Long.MAX_VALUE : next.timeNs;
  }

  void runNext() throws IOException {
    Entry next = entries.remove();
    nowNs = next.timeNs;
    next.step.run();
  }
}
