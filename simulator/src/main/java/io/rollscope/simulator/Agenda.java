package io.rollscope.simulator;

import java.io.IOException;
import java.util.PriorityQueue;

/** What will happen, in order of virtual time; things of the same time in order of entry. */
public final class Agenda {

  /** Something that happens at its time. */
  public interface Step {
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

  /** Virtual time now. */
  public long nowNs() {
    return nowNs;
  }

  int size() {
    return entries.size();
  }

  /** Something that happens in a while. */
  public void after(double seconds, Step step) {
    at(nowNs + Math.round(seconds * 1e9), step);
  }

  /** Something that happens at a virtual time. */
  public void at(long timeNs, Step step) {
    entries.add(new Entry(timeNs, order++, step));
  }

  /** Virtual time of the next step; {@link Long#MAX_VALUE} when nothing is left. */
  public long nextNs() {
    Entry next = entries.peek();
    return next == null ? Long.MAX_VALUE : next.timeNs;
  }

  /** Lets the next thing happen; then it is that time. */
  public void runNext() throws IOException {
    Entry next = entries.remove();
    nowNs = next.timeNs;
    next.step.run();
  }
}
