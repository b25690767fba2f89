package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.pairing.SessionSpans;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up, per bucket of time, how many sessions were in each stage or wait. */
public final class OccupancyBuckets {
  public static final int MAX_BUCKETS = 2_000;
  private static final int MAX_STAGES = 1_000;
  private static final String OTHER = "(other)";

  private final long from;
  private final long to;
  private final int buckets;
  private final long[] alive;
  private final Map<String, long[]> stages = new HashMap<>();
  private final Map<String, long[]> waits = new LinkedHashMap<>();
  private final Accounting accounting = new Accounting();

  /**
   * @param from where the first bucket begins
   * @param to where the last one ends
   */
  public OccupancyBuckets(long from, long to, int buckets) {
    if (buckets < 1 || buckets > MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "buckets: " + buckets + " (expected: from 1 to " + MAX_BUCKETS + ")");
    }
    this.from = from;
    this.to = to;
    this.buckets = buckets;
    this.alive = new long[buckets];
    for (String wait : List.of("queue", "gap", "siblings", "barrier", "unaccounted")) {
      waits.put(wait, new long[buckets]);
    }
  }

  /** Where the first bucket begins. */
  long from() {
    return from;
  }

  /**
   * Adds the session loaded in {@code spans}, which lived from {@code since} to {@code until}.
   *
   * @param othersEnd when its siblings were done, or {@link SiblingWaits#NOBODY}
   */
  public void addSession(
      SessionSpans spans, long since, long until, boolean finalised, long othersEnd) {
    accounting.tell((leaf, begin, end) -> add(place(spans, leaf), begin, end), othersEnd);
    accounting.account(spans, since, until, finalised);
    // A session that only waits for its verdict has ended.
    add(alive, since, finalised ? accounting.workEnd() : Math.max(since, until));
  }

  /** Takes over what another thread added. */
  void addAll(OccupancyBuckets other) {
    addEach(alive, other.alive);
    other.stages.forEach((stage, values) -> addEach(stage(stage), values));
    other.waits.forEach((wait, values) -> addEach(waits.get(wait), values));
  }

  private static void addEach(long[] into, long[] from) {
    for (int b = 0; b < into.length; b++) {
      into[b] += from[b];
    }
  }

  private long[] place(SessionSpans spans, int leaf) {
    return switch (leaf) {
      case Pieces.QUEUE -> waits.get("queue");
      case Pieces.GAP -> waits.get("gap");
      case Pieces.SIBLINGS -> waits.get("siblings");
      case Pieces.BARRIER -> waits.get("barrier");
      case Pieces.UNACCOUNTED -> waits.get("unaccounted");
      default -> stage(spans.stage(leaf));
    };
  }

  private long[] stage(String stage) {
    boolean known = stages.size() < MAX_STAGES || stages.containsKey(stage);
    return stages.computeIfAbsent(known ? stage : OTHER, s -> new long[buckets]);
  }

  /** Where a bucket begins, on a whole nanosecond. */
  private long edge(int bucket) {
    long all = to - from;
    return from + all / buckets * bucket + all % buckets * bucket / buckets;
  }

  /** Adds a time to the buckets it lies in. */
  private void add(long[] place, long since, long until) {
    long begin = Math.max(since, from);
    long end = Math.min(until, to);
    if (begin >= end) {
      return;
    }
    int b = (int) Math.min(buckets - 1, (double) (begin - from) / (to - from) * buckets);
    while (b > 0 && edge(b) > begin) {
      b--;
    }
    for (; b < buckets && edge(b) < end; b++) {
      place[b] += Math.max(0, Math.min(end, edge(b + 1)) - Math.max(begin, edge(b)));
    }
  }

  /**
   * @param scope the word for what was looked at
   * @param sessions how many sessions were added
   * @param leftOut how many were not
   */
  public OccupancyReport report(
      String source, String run, String scope, int sessions, long leftOut) {
    double[] starts = new double[buckets];
    for (int b = 0; b < buckets; b++) {
      starts[b] = edge(b) / 1e9;
    }
    Map<String, double[]> byTime = new LinkedHashMap<>();
    stages.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, long[]> e) -> -sum(e.getValue()))
                .thenComparing(Map.Entry::getKey))
        .forEach(e -> byTime.put(e.getKey(), means(e.getValue())));
    Map<String, double[]> meanWaits = new LinkedHashMap<>();
    waits.forEach((wait, values) -> meanWaits.put(wait, means(values)));
    double width = (double) (to - from) / buckets;
    return new OccupancyReport(
        source,
        run,
        scope,
        from,
        to,
        width,
        starts,
        means(alive),
        byTime,
        meanWaits,
        sessions,
        leftOut);
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }

  private double[] means(long[] sums) {
    double[] means = new double[buckets];
    for (int b = 0; b < buckets; b++) {
      long width = edge(b + 1) - edge(b);
      means[b] = width == 0 ? 0 : (double) sums[b] / width;
    }
    return means;
  }
}
