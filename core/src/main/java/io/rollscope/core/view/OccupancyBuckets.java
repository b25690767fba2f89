package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.pairing.SessionSpans;
import java.util.Arrays;
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
  private final double width;
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
    this.width = (double) (to - from) / buckets;
    this.alive = new long[buckets];
    for (String wait : List.of("queue", "gap", "siblings", "barrier", "unaccounted")) {
      waits.put(wait, new long[buckets]);
    }
  }

  /** Where the first bucket begins. */
  long from() {
    return from;
  }

  /** Adds the session loaded in {@code spans}, which lived from {@code since} to {@code until}. */
  public void addSession(SessionSpans spans, long since, long until, boolean finalised) {
    accounting.tell((leaf, begin, end) -> add(place(spans, leaf), begin, end), SiblingWaits.NOBODY);
    accounting.account(spans, since, until, finalised);
    add(alive, since, Math.max(since, until));
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

  /** Where a bucket begins, after the first one: whole, so that sums are the same in any order. */
  private long edge(int bucket) {
    long length = to - from;
    return bucket * (length / buckets) + bucket * (length % buckets) / buckets;
  }

  /** Adds a time to the buckets it lies in. */
  private void add(long[] place, long since, long until) {
    long begin = Math.max(since, from) - from;
    long end = Math.min(until, to) - from;
    if (begin >= end) {
      return;
    }
    int b = Math.min(buckets - 1, (int) (begin / width));
    while (b > 0 && edge(b) > begin) {
      b--;
    }
    for (; b < buckets && edge(b) < end; b++) {
      place[b] += Math.max(0, Math.min(end, edge(b + 1)) - Math.max(begin, edge(b)));
    }
  }

  /** Means over each bucket. */
  private double[] means(long[] sums) {
    double[] means = new double[buckets];
    for (int b = 0; b < buckets; b++) {
      means[b] = sums[b] == 0 ? 0 : (double) sums[b] / (edge(b + 1) - edge(b));
    }
    return means;
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
      starts[b] = (from + b * width) / 1e9;
    }
    Map<String, double[]> byTime = new LinkedHashMap<>();
    stages.entrySet().stream()
        .sorted(
            (a, b) -> {
              int order = Long.compare(sum(b.getValue()), sum(a.getValue()));
              return order != 0 ? order : a.getKey().compareTo(b.getKey());
            })
        .forEach(e -> byTime.put(e.getKey(), means(e.getValue())));
    Map<String, double[]> waiting = new LinkedHashMap<>();
    waits.forEach((wait, sums) -> waiting.put(wait, means(sums)));
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
        waiting,
        sessions,
        leftOut);
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }
}
