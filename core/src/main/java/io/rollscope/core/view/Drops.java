package io.rollscope.core.view;

import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.view.LiveReport.DroppedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What processes had to drop: all together, and who most. */
public final class Drops {
  private static final int MOST = 20;

  private static final Comparator<DroppedBy> LARGEST_FIRST =
      Comparator.comparingLong((DroppedBy d) -> -d.sum())
          .thenComparing(DroppedBy::worker, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(DroppedBy::host, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(DroppedBy::pid, Comparator.nullsLast(Comparator.naturalOrder()));

  private final List<DroppedBy> by = new ArrayList<>();
  private long spans;
  private long starts;
  private long metrics;
  private long attributes;
  private long deleted;

  public void add(ProcessSign process) {
    DroppedBy dropped =
        new DroppedBy(
            process.worker().label(),
            process.host(),
            process.pid(),
            process.droppedSpans(),
            process.droppedStarts(),
            process.droppedMetrics(),
            process.cutAttributes(),
            process.deletedSpans());
    if (dropped.sum() > 0) {
      spans += dropped.spans();
      starts += dropped.starts();
      metrics += dropped.metrics();
      attributes += dropped.attributes();
      deleted += dropped.deleted();
      by.add(dropped);
    }
  }

  /** By what it was. */
  public Map<String, Long> totals() {
    Map<String, Long> totals = new LinkedHashMap<>();
    totals.put("spans", spans);
    totals.put("starts", starts);
    totals.put("metrics", metrics);
    totals.put("attributes", attributes);
    totals.put("deleted", deleted);
    return totals;
  }

  /** The processes that dropped most, at most 20. */
  public List<DroppedBy> worst() {
    return by.stream().sorted(LARGEST_FIRST).limit(MOST).toList();
  }
}
