package io.rollscope.core.steps;

import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts processes on one clock. The offset of two processes is the median difference between the
 * starts of spans with the same name and training step; the first such span of each process is left
 * out, because processes come up at different times and only meet at its end.
 */
public final class ClockAlignment {

  /**
   * How a process's clock relates to the reference.
   *
   * @param offsetNs to be added to its times
   * @param spreadNs how far the differences lie apart (from the 5th to the 95th percentile)
   * @param pairs how many spans were compared; 0 for the reference itself
   */
  public record Offset(long offsetNs, long spreadNs, int pairs) {}

  private static final Comparator<Worker> ORDER =
      Comparator.comparing((Worker w) -> w.rank() == null ? Long.MAX_VALUE : w.rank())
          .thenComparing(w -> w.role() == null ? "" : w.role());

  private record Key(String name, long step) {}

  private ClockAlignment() {}

  /**
   * The offset of each process that shares barriers, directly or through others, with the first.
   */
  public static Map<Worker, Offset> of(BarrierSpans spans) {
    List<Worker> processes = new ArrayList<>(spans.processes());
    processes.sort(ORDER);
    Map<Worker, Map<Key, Long>> starts = new HashMap<>();
    for (Worker process : processes) {
      starts.put(process, startsWithoutFirst(spans.of(process)));
    }
    Map<Worker, Offset> offsets = new LinkedHashMap<>();
    for (Worker root : processes) {
      // Processes that share nothing with the first group form groups of their own.
      if (offsets.containsKey(root)) {
        continue;
      }
      offsets.put(root, new Offset(0, 0, 0));
      ArrayDeque<Worker> reached = new ArrayDeque<>(List.of(root));
      while (!reached.isEmpty()) {
        Worker from = reached.poll();
        for (Worker to : processes) {
          if (!offsets.containsKey(to)) {
            Offset step = between(starts.get(from), starts.get(to));
            if (step.pairs() > 0) {
              long offset = offsets.get(from).offsetNs() + step.offsetNs();
              offsets.put(to, new Offset(offset, step.spreadNs(), step.pairs()));
              reached.add(to);
            }
          }
        }
      }
    }
    return offsets;
  }

  private static Map<Key, Long> startsWithoutFirst(List<BarrierSpan> spans) {
    Map<Key, Long> starts = new HashMap<>();
    Map<Key, Integer> times = new HashMap<>();
    Key first = null;
    long earliest = Long.MAX_VALUE;
    for (BarrierSpan span : spans) {
      Key key = new Key(span.name(), span.step());
      starts.put(key, span.startNs());
      times.merge(key, 1, Integer::sum);
      if (span.startNs() < earliest) {
        earliest = span.startNs();
        first = key;
      }
    }
    starts.remove(first);
    // What a process does several times in a step says nothing about when it met the others.
    times.forEach(
        (key, n) -> {
          if (n > 1) {
            starts.remove(key);
          }
        });
    return starts;
  }

  private static Offset between(Map<Key, Long> reference, Map<Key, Long> other) {
    long[] differences = new long[other.size()];
    int count = 0;
    for (Map.Entry<Key, Long> entry : other.entrySet()) {
      Long there = reference.get(entry.getKey());
      if (there != null) {
        differences[count++] = there - entry.getValue();
      }
    }
    if (count == 0) {
      return new Offset(0, 0, 0);
    }
    Arrays.sort(differences, 0, count);
    long low = differences[(int) ((count - 1) * 0.05)];
    long high = differences[(int) Math.ceil((count - 1) * 0.95)];
    int middle = count / 2;
    long median =
        count % 2 == 1
            ? differences[middle]
            : differences[middle - 1] + (differences[middle] - differences[middle - 1]) / 2;
    return new Offset(median, high - low, count);
  }
}
