package io.rollscope.formats.folder;

import io.rollscope.core.table.SpanTable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The runs found in a source, each with its table, and what lies beside the spans. */
public final class Runs {

  /** Rows that can only be told apart once everything was read. */
  public interface Unsettled {
    /** Puts into the tables what is known now, replacing what it put there before. */
    void settle(Runs runs);

    /** Memory held, about. */
    long bytes();
  }

  private final Map<String, RunData> runs = new LinkedHashMap<>();
  private final Map<Class<?>, Unsettled> unsettled = new LinkedHashMap<>();
  private final Set<String> forgotten = new HashSet<>();

  /** The data of this run, begun now if it is new. */
  public RunData run(String id) {
    return runs.computeIfAbsent(id, RunData::new);
  }

  /** The collection of unsettled rows of this kind, begun now if it is new. */
  public <T extends Unsettled> T unsettled(Class<T> kind, Supplier<T> maker) {
    return kind.cast(unsettled.computeIfAbsent(kind, k -> maker.get()));
  }

  /** Settles what is unsettled; the runs that were told anew. */
  Set<String> settle() {
    forgotten.clear();
    unsettled.values().forEach(u -> u.settle(this));
    return Set.copyOf(forgotten);
  }

  /** Forgets a run: its rows are about to be told anew. */
  public void forget(String id) {
    runs.remove(id);
    forgotten.add(id);
  }

  public Set<String> ids() {
    return runs.keySet();
  }

  /** The only run, or the one with the newest event. */
  public RunData newest() {
    RunData best = null;
    long bestSeen = Long.MIN_VALUE;
    for (RunData run : runs.values()) {
      SpanTable table = run.table();
      long seen = Long.MIN_VALUE;
      for (int c = 0; c < table.coordinatesCount(); c++) {
        seen = Math.max(seen, table.lastSeen(c));
      }
      if (best == null || seen > bestSeen) {
        best = run;
        bestSeen = seen;
      }
    }
    return best;
  }

  long bytes() {
    long sum = 0;
    for (RunData run : runs.values()) {
      sum += run.table().bytes();
    }
    for (Unsettled rows : unsettled.values()) {
      sum += rows.bytes();
    }
    return sum;
  }

  void clear() {
    runs.clear();
    unsettled.clear();
  }
}
