package io.rollscope.core.steps;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * When the batches of each run began, by train step: what step a metric belongs to that names none.
 * It depends on nothing but the spans that came in before.
 */
public final class Steps {
  private static final int MOST_RUNS = 1_000;
  private static final int MOST_STEPS = 10_000;

  /** What is earlier counts from a zero that only its source knows. */
  private static final long EPOCH_TIMES_NS = 1_000_000_000_000_000_000L;

  private final Map<String, Run> runs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Run> eldest) {
          return size() > MOST_RUNS;
        }
      };

  private static final class Run {
    final Map<Long, Long> starts = new HashMap<>();
    final NavigableMap<Long, Long> byStart = new TreeMap<>();

    void began(long step, long startNs) {
      Long known = starts.get(step);
      if (known != null && known <= startNs) {
        return;
      }
      if (known != null) {
        byStart.remove(known, step);
      }
      starts.put(step, startNs);
      byStart.merge(startNs, step, Math::max);
      if (byStart.size() > MOST_STEPS) {
        starts.remove(byStart.pollFirstEntry().getValue());
      }
    }
  }

  /** A span that names a step began. */
  public void began(String run, long step, long startNs) {
    if (startNs >= EPOCH_TIMES_NS) {
      runs.computeIfAbsent(run, name -> new Run()).began(step, startNs);
    }
  }

  /** The step of the batch that began last before that time; null if none did. */
  public Long at(String run, long timeNs) {
    Run known = runs.get(run);
    Map.Entry<Long, Long> newest = known == null ? null : known.byStart.floorEntry(timeNs);
    return newest == null ? null : newest.getValue();
  }

  public void forget(String run) {
    runs.remove(run);
  }
}
