package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArealFolderTest {
  @TempDir static Path trial;

  private static final List<String> rows = new ArrayList<>();
  private static final List<List<String>> perf = new ArrayList<>();

  @BeforeAll
  static void simulate() throws IOException {
    Settings settings = RecordedRun.medium();
    Timeline timeline = new Timeline(RecordedRun.START_NS, 1);
    try (Playback playback =
        new Playback(settings, timeline, TraceFormat.AREAL.open(trial, settings, timeline))) {
      playback.rush(Long.MAX_VALUE);
    }
    for (int rank = 0; rank < 2; rank++) {
      rows.addAll(Files.readAllLines(trial.resolve("session_tracer/sessions-r" + rank + ".jsonl")));
      perf.add(Files.readAllLines(trial.resolve("perf_tracer/traces-r" + rank + ".jsonl")));
    }
  }

  @Test
  void everyStartedSessionHasOneRow() {
    RecordedRun run = RecordedRun.of(RecordedRun.medium());

    assertThat(rows).hasSize((int) run.starts(SpanNames.AGENT_GROUP).count());
    assertThat(rows.stream().map(row -> row.replaceFirst("\"status\".*", "")))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyFateIsThere() {
    assertThat(rows)
        .anyMatch(row -> row.contains("\"status\": \"accepted\", \"submit_ts\""))
        .anyMatch(row -> row.contains("\"status\": \"rejected\", \"reason\": \"rejected\""))
        .anyMatch(row -> row.contains("\"status\": \"rejected\", \"reason\": \"returned_none\""))
        .anyMatch(row -> row.contains("\"status\": \"failed\", \"reason\": \"workflow_exception\""))
        .anyMatch(
            row -> row.contains("\"status\": \"pending\"") && row.contains("\"end_ts\": null"));
  }

  @Test
  void rowsHavePhasesAndCounters() {
    assertThat(rows)
        .anyMatch(row -> row.contains("\"toolcall_s\": ") && row.contains("\"tool_errors\": "))
        .anyMatch(row -> row.contains("\"turns\": 3"));
  }

  @Test
  void onlyHungSessionsAndTheirSiblingsArePending() {
    assertThat(rows.stream().filter(row -> row.contains("\"pending\"")))
        .hasSize(RecordedRun.of(RecordedRun.medium()).open().size());
  }

  @Test
  void everyRankTracesTheTrainingSide() {
    for (List<String> lines : perf) {
      for (String name :
          List.of(
              "rollout", "recompute_logp", "compute_advantage", "ppo_update", "update_weights")) {
        assertThat(lines.stream().filter(line -> line.contains("\"train." + name + "\"")))
            .hasSize(4)
            .allMatch(line -> line.contains("\"global_step\": "));
      }
      assertThat(lines).anyMatch(line -> line.contains("\"workflow.sample\""));
      assertThat(lines).anyMatch(line -> line.contains("\"agent.execute_tool\""));
      assertThat(lines).anyMatch(line -> line.contains("\"exception\": \"RuntimeError\""));
    }
  }

  /** Ranks start at different times and count from there, so the same barrier has two times. */
  @Test
  void ranksCountTimeFromTheirOwnStart() {
    Map<Integer, Long> end = new HashMap<>();
    for (int rank = 0; rank < 2; rank++) {
      String sync =
          perf.get(rank).stream()
              .filter(line -> line.contains("\"train.update_weights\""))
              .findFirst()
              .orElseThrow();
      end.put(rank, number("ts", sync) + number("dur", sync));
    }

    assertThat(end.get(0) - end.get(1)).isBetween(1_733_998L, 1_734_002L);
  }

  private static long number(String key, String line) {
    Matcher matcher = Pattern.compile("\"" + key + "\": ([0-9]+)").matcher(line);
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }
}
