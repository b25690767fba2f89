package io.rollscope.formats.folder;

import io.rollscope.core.model.Worker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * When a run was begun, told from its processes: more than once if two runs share a name.
 *
 * <p>Workers that are started again are usual. A run was begun again if all its processes were over
 * before the first of the next ones did anything, a worker of the same name came back, and the
 * training step they began with is not after the one that the former began with.
 */
public final class Beginnings {
  /** Processes that say no goodbye are over after a silence of more than this. */
  private static final long SILENCE_NS = 600_000_000_000L;

  private Beginnings() {}

  /**
   * What was seen of a process of a run.
   *
   * @param ended whether it said goodbye
   * @param step the training step of its first work that names one, or null
   * @param stepNs when that work began
   */
  public record Seen(
      Worker worker, long firstNs, long lastNs, boolean ended, Long step, long stepNs) {}

  /** Processes that were there together, or one after the other without a new beginning. */
  private static final class Life {
    private final long firstNs;
    private final Set<Worker> workers = new HashSet<>();
    private long lastNs = Long.MIN_VALUE;
    private boolean ended = true;
    private Long step;
    private long stepNs;

    Life(long firstNs) {
      this.firstNs = firstNs;
    }

    void add(Seen process) {
      if (process.worker().label() != null) {
        workers.add(process.worker());
      }
      lastNs = Math.max(lastNs, process.lastNs());
      ended &= process.ended();
      if (process.step() != null && (step == null || process.stepNs() < stepNs)) {
        step = process.step();
        stepNs = process.stepNs();
      }
    }

    void add(Life later) {
      workers.addAll(later.workers);
      if (step == null) {
        step = later.step;
        stepNs = later.stepNs;
      }
    }

    boolean isOverAt(long ns) {
      return ns > lastNs && (ended || ns - lastNs > SILENCE_NS);
    }

    boolean beginsAgain(Life later) {
      return step != null
          && later.step != null
          && later.step <= step
          && later.workers.stream().anyMatch(workers::contains);
    }
  }

  /** The first times of all lives of a run, in order; at most one if nothing was begun again. */
  public static List<Long> of(Collection<Seen> processes) {
    List<Life> together = new ArrayList<>();
    Life current = null;
    for (Seen process :
        processes.stream().sorted(Comparator.comparingLong(Seen::firstNs)).toList()) {
      if (current == null || current.isOverAt(process.firstNs())) {
        current = new Life(process.firstNs());
        together.add(current);
      }
      current.add(process);
    }
    List<Life> lives = new ArrayList<>();
    for (Life next : together) {
      Life last = lives.isEmpty() ? null : lives.get(lives.size() - 1);
      if (last == null || last.beginsAgain(next)) {
        lives.add(next);
      } else {
        last.add(next);
      }
    }
    return lives.stream().map(life -> life.firstNs).toList();
  }
}
