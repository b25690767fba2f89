package io.rollscope.core.diagnosis;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far the clocks of hosts are off, told from calls that went from one host to another: what a
 * call caused lies inside it, by right clocks.
 */
final class HostClocks {
  /** The same as where wall and monotonic clock of a span disagree; kept clocks differ by 10 ms. */
  static final long TOLERANCE_NS = 100_000_000L;

  /** With fewer calls between two hosts, one late record would decide. */
  static final int LEAST = 20;

  /** One record in twenty may be wrong. */
  private static final double SURE = .95;

  private final TreeMap<String, TreeMap<String, Bounds>> between = new TreeMap<>();
  private final TreeMap<String, Long> offsets = new TreeMap<>();
  private final TreeMap<String, Integer> processes = new TreeMap<>();
  private final Map<Worker, String> hosts = new HashMap<>();
  private boolean known;

  /** By how much one clock may be ahead of another: what each call allows at least and at most. */
  private static final class Bounds {
    private long[] least = new long[LEAST];
    private long[] most = new long[LEAST];
    private int count;

    void add(long atLeast, long atMost) {
      if (count == least.length) {
        least = Arrays.copyOf(least, count * 2);
        most = Arrays.copyOf(most, count * 2);
      }
      least[count] = atLeast;
      most[count++] = atMost;
    }

    /** What is nearest to no difference of all that nearly all calls allow. */
    long ahead() {
      Arrays.sort(least, 0, count);
      Arrays.sort(most, 0, count);
      long low = least[(int) ((count - 1) * SURE)];
      long high = most[(int) Math.ceil((count - 1) * (1 - SURE))];
      boolean inside = low - TOLERANCE_NS <= 0 && high + TOLERANCE_NS >= 0;
      return inside ? 0 : low + (high - low) / 2;
    }
  }

  HostClocks(RunWork work) {
    for (ProcessSign sign : work.processes()) {
      if (sign.host() != null) {
        hosts.put(sign.worker(), sign.host());
        processes.merge(sign.host(), 1, Integer::sum);
      }
    }
    if (processes.size() > 1) {
      compare(work);
      settle();
    }
  }

  private void compare(RunWork work) {
    for (int i = 0; i < work.callCount(); i++) {
      int up = work.parent(i);
      if (up == RunWork.NONE || !isEnded(work, i) || !isEnded(work, up)) {
        continue;
      }
      String child = hosts.get(work.worker(i));
      String parent = hosts.get(work.worker(up));
      if (child == null || parent == null || child.equals(parent)) {
        continue;
      }
      if (work.table().hasParents(work.session(i).number())) {
        between
            .computeIfAbsent(child, h -> new TreeMap<>())
            .computeIfAbsent(parent, h -> new Bounds())
            .add(work.end(i) - work.end(up), work.start(i) - work.start(up));
      }
    }
  }

  private static boolean isEnded(RunWork work, int call) {
    return work.outcome(call) == Outcome.OK;
  }

  /** Goes from host to host along their calls; those most processes agree with are right. */
  private void settle() {
    TreeMap<String, TreeMap<String, Long>> ahead = new TreeMap<>();
    between.forEach(
        (child, parents) ->
            parents.forEach(
                (parent, bounds) -> {
                  if (bounds.count >= LEAST) {
                    long by = bounds.ahead();
                    ahead.computeIfAbsent(parent, h -> new TreeMap<>()).putIfAbsent(child, by);
                    ahead.computeIfAbsent(child, h -> new TreeMap<>()).putIfAbsent(parent, -by);
                  }
                }));
    if (ahead.isEmpty()) {
      return;
    }
    known = true;
    ArrayDeque<String> next = new ArrayDeque<>();
    offsets.put(ahead.firstKey(), 0L);
    next.add(ahead.firstKey());
    while (!next.isEmpty()) {
      String host = next.remove();
      ahead
          .get(host)
          .forEach(
              (other, by) -> {
                if (!offsets.containsKey(other)) {
                  offsets.put(other, offsets.get(host) + by);
                  next.add(other);
                }
              });
    }
    long right = mostCommon();
    offsets.replaceAll((host, by) -> by - right);
  }

  private long mostCommon() {
    long best = 0;
    int most = -1;
    for (long one : offsets.values()) {
      int agree = 0;
      for (Map.Entry<String, Long> other : offsets.entrySet()) {
        boolean near = Math.abs(other.getValue() - one) <= TOLERANCE_NS;
        agree += near ? processes.get(other.getKey()) : 0;
      }
      if (agree > most) {
        most = agree;
        best = one;
      }
    }
    return best;
  }

  /** Whether calls go from host to host, so that clocks can be compared. */
  boolean isKnown() {
    return known;
  }

  /** By how much the clock of each host is ahead. */
  Map<String, Long> offsets() {
    return offsets;
  }

  /** By how much the clock of a worker's host is ahead; 0 if nothing is known of it. */
  long ahead(Worker worker) {
    return ahead(hosts.get(worker));
  }

  /** By how much the clock of a host is ahead; 0 if nothing is known of it. */
  long ahead(String host) {
    return host == null ? 0 : offsets.getOrDefault(host, 0L);
  }
}
