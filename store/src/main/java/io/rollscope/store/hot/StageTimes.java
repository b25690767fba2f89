package io.rollscope.store.hot;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** How long closed spans took, by stage, in buckets. */
public final class StageTimes {
  /** Upper bounds of the buckets, in seconds. */
  public static final List<Double> BOUNDS_S =
      List.of(
          0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0);

  private static final int MOST_STAGES = 100;
  private static final String OTHER = "(other)";

  private static final class Times {
    final long[] counts = new long[BOUNDS_S.size() + 1];
    double sumS;
  }

  private final Map<String, Times> stages = new LinkedHashMap<>();

  private Times of(String stage) {
    boolean room = stages.size() < MOST_STAGES || stages.containsKey(stage);
    return stages.computeIfAbsent(room ? stage : OTHER, s -> new Times());
  }

  void add(String stage, long durationNs) {
    Times times = of(stage);
    double seconds = durationNs / 1e9;
    int bucket = 0;
    while (bucket < BOUNDS_S.size() && seconds > BOUNDS_S.get(bucket)) {
      bucket++;
    }
    times.counts[bucket]++;
    times.sumS += seconds;
  }

  /** Adds what segments hold. */
  void add(String stage, long[] counts, double sumS) {
    Times times = of(stage);
    Arrays.setAll(times.counts, i -> times.counts[i] + counts[i]);
    times.sumS += sumS;
  }

  void forEach(BiConsumer<String, RunFigures.Durations> visitor) {
    stages.forEach(
        (stage, t) -> visitor.accept(stage, new RunFigures.Durations(t.counts.clone(), t.sumS)));
  }
}
