package io.rollscope.core.view;

import io.rollscope.core.stats.Durations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Per stage: how many spans, and how long all closed spans of one session took together. */
final class StageTotals {
  private static final int MAX_STAGES = 1_000;
  private static final String OTHER = "(other)";

  /** One stage. */
  static final class Stage {
    int spans;
    private long sum;
    private boolean touched;
    private final Durations sums = new Durations();
    private Stage nextTouched;
  }

  private final Map<String, Stage> stages = new LinkedHashMap<>();
  private final Session session = new Session();

  /** The stage with this name; beyond a limit all further ones are one. */
  Stage stage(String name) {
    boolean known = stages.size() < MAX_STAGES || stages.containsKey(name);
    return stages.computeIfAbsent(known ? name : OTHER, n -> new Stage());
  }

  /** Begins a session; its sums count when it ends. */
  Session begin() {
    return session;
  }

  /** The session being added up: only the stages it touched are visited at its end. */
  static final class Session {
    private Stage first;

    void add(Stage stage, long nanos) {
      if (!stage.touched) {
        stage.touched = true;
        stage.sum = 0;
        stage.nextTouched = first;
        first = stage;
      }
      stage.sum += nanos;
    }

    void end() {
      for (Stage stage = first; stage != null; stage = stage.nextTouched) {
        stage.sums.add(stage.sum);
        stage.touched = false;
      }
      first = null;
    }
  }

  void addAll(StageTotals other) {
    other.stages.forEach(
        (name, stage) -> {
          Stage mine = stage(name);
          mine.spans += stage.spans;
          mine.sums.addAll(stage.sums);
        });
  }

  Map<String, Integer> spanCounts() {
    Map<String, Integer> counts = new TreeMap<>();
    stages.forEach((name, stage) -> counts.put(name, stage.spans));
    return counts;
  }

  /** Sums per session of each stage that has any, under the name of their metric. */
  Map<String, Durations> sums() {
    Map<String, Durations> sums = new TreeMap<>();
    stages.forEach(
        (name, stage) -> {
          if (stage.sums.count() > 0) {
            sums.put(name + "_s", stage.sums);
          }
        });
    return sums;
  }
}
