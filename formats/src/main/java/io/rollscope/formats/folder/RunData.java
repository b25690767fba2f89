package io.rollscope.formats.folder;

import io.rollscope.core.metric.PointTable;
import io.rollscope.core.stats.Counters;
import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.table.SpanTable;
import java.util.List;
import java.util.Map;

/** One run of a source. */
public final class RunData {
  private final String id;
  private final SpanTable table = new SpanTable();
  private final BarrierSpans barrierSpans = new BarrierSpans();
  private final Counters counters = new Counters();
  private PointTable metrics = new PointTable();
  private List<Long> begun = List.of();

  RunData(String id) {
    this.id = id;
  }

  /** A run of which nothing is known yet. */
  public static RunData none(String id) {
    return new RunData(id);
  }

  public String id() {
    return id;
  }

  public SpanTable table() {
    return table;
  }

  /** Spans by which the run's processes can be put on one clock. */
  public BarrierSpans barrierSpans() {
    return barrierSpans;
  }

  /** What it measured; empty where metrics were not asked for. */
  public PointTable metrics() {
    return metrics;
  }

  public void metrics(PointTable points) {
    metrics = points;
  }

  /** When it was begun, as far as its processes tell: more than once if runs share a name. */
  public List<Long> begun() {
    return begun;
  }

  public void begun(List<Long> times) {
    begun = times;
  }

  /** Adds to a named counter of the run's sessions. */
  public void count(String counter, long amount) {
    counters.add(counter, amount);
  }

  /** What the sessions counted, summed. */
  public Map<String, Long> counters() {
    return counters.sums();
  }
}
