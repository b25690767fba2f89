package io.rollscope.formats.chrome;

import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.steps.ClockAlignment;
import io.rollscope.core.steps.ClockAlignment.Offset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is to be added to the times of each process, so that all share one clock. */
final class Clocks {
  private static final Offset UNKNOWN = new Offset(0, 0, 0);

  private final Map<ProcessKey, Offset> offsets = new HashMap<>();

  private Clocks() {}

  /** Leaves all times as they are. */
  static Clocks asTheyAre() {
    return new Clocks();
  }

  /** Puts processes that passed the same training steps together on one clock. */
  static Clocks aligned(Census census) {
    Clocks clocks = new Clocks();
    List<Map<Worker, Offset>> generations = new ArrayList<>();
    for (BarrierSpans spans : census.barriers()) {
      generations.add(notBeforeZero(ClockAlignment.of(spans)));
    }
    for (ProcessKey process : census.processes()) {
      int generation = census.generation(process);
      if (process.rank().number() != null && generation < generations.size()) {
        Offset offset = generations.get(generation).get(process.worker());
        clocks.offsets.put(process, offset == null ? UNKNOWN : offset);
      }
    }
    return clocks;
  }

  /** Moves all of them to the right if need be: Perfetto drops what lies before time zero. */
  private static Map<Worker, Offset> notBeforeZero(Map<Worker, Offset> offsets) {
    long least = offsets.values().stream().mapToLong(Offset::offsetNs).min().orElse(0);
    if (least >= 0) {
      return offsets;
    }
    Map<Worker, Offset> moved = new HashMap<>();
    offsets.forEach(
        (worker, o) ->
            moved.put(worker, new Offset(o.offsetNs() - least, o.spreadNs(), o.pairs())));
    return moved;
  }

  long offset(ProcessKey process) {
    return offsets.getOrDefault(process, UNKNOWN).offsetNs();
  }

  /** All clocks that were looked at, in order of the processes. */
  List<ProcessClock> report() {
    return offsets.keySet().stream()
        .sorted(ProcessKey.ORDER)
        .map(
            p -> {
              Offset o = offsets.get(p);
              return new ProcessClock(
                  p.worker(), p.pid().label(), o.offsetNs(), o.spreadNs(), o.pairs());
            })
        .toList();
  }
}
