package io.rollscope.formats.areal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.formats.areal.ArealEvent.Arg;
import io.rollscope.formats.areal.ArealEvent.Phase;
import io.rollscope.formats.areal.ArealEvent.TracedThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArealWriterTest {
  private static final long ORIGIN = 1_763_600_400_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final ArealProcess RANK_1 = new ArealProcess(1, null, 8808, ORIGIN);
  private static final TracedThread MAIN = new TracedThread(8808, "MainThread");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  @TempDir Path trial;

  @Test
  void repeatsTheSessionRowsOfArealsOwnTracerByteForByte() throws IOException {
    List<String> sample = sampleLines("writer-sessions-r1.jsonl");
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      for (String line : sample) {
        writeSameSession(writer, JSON.readTree(line));
      }
    }

    assertThat(lines("session_tracer/sessions-r1.jsonl"))
        .hasSizeGreaterThan(10)
        .containsExactlyInAnyOrderElementsOf(sample);
  }

  @Test
  void repeatsThePerfEventsOfArealsOwnTracerByteForByte() throws IOException {
    List<String> sample = sampleLines("writer-traces-r1.jsonl");
    Map<Long, String> threads =
        Map.of(8808L, "MainThread", 8815L, "AsyncTaskRunner", 8817L, "TaskProducer");
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      for (String line : sample) {
        writeSamePerfEvent(writer, JSON.readTree(line), threads);
      }
    }

    assertThat(lines("perf_tracer/traces-r1.jsonl")).hasSizeGreaterThan(30).isEqualTo(sample);
  }

  @Test
  void roleIsAFolderAndAField() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, new ArealProcess(2, "actor", 9, ORIGIN))) {
      writer.write(new ArealEvent.Submitted(0, 7, ORIGIN));
      writer.write(new ArealEvent.Finalised(0, "accepted", null, ORIGIN + SECOND));
      writer.write(scope(ORIGIN, ORIGIN));
    }

    assertThat(lines("session_tracer/actor/sessions-r2.jsonl"))
        .containsExactly(
            "{\"task_id\": 7, \"session_id\": 0, \"rank\": 2, \"role\": \"actor\", \"status\":"
                + " \"accepted\", \"submit_ts\": 1763600400.0, \"finalized_ts\": 1763600401.0,"
                + " \"total_s\": 1.0}");
    assertThat(lines("perf_tracer/actor/traces-r2.jsonl"))
        .contains(
            "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 9, \"args\": {\"name\":"
                + " \"[actor] Rank 2, Process\"}}",
            "{\"name\": \"train.save\", \"ph\": \"X\", \"ts\": 0, \"dur\": 1, \"pid\": 9, \"tid\":"
                + " 8808, \"cat\": \"io\", \"args\": {\"global_step\": 3, \"rank\": 2, \"role\":"
                + " \"actor\"}}");
  }

  @Test
  void rowAppearsOnlyWhenTheSessionIsFinalised() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      writer.write(new ArealEvent.Submitted(0, 7, ORIGIN));
      writer.write(new ArealEvent.PhaseStarted(0, Phase.GENERATE, ORIGIN));
      writer.flush();
      assertThat(trial.resolve("session_tracer")).doesNotExist();

      writer.write(new ArealEvent.PhaseEnded(0, Phase.GENERATE, ORIGIN + SECOND));
      writer.write(new ArealEvent.Finalised(0, "accepted", null, ORIGIN + SECOND));
      writer.flush();
      assertThat(lines("session_tracer/sessions-r1.jsonl")).hasSize(1);
    }
  }

  /** The trainer is stopped while samples are being generated. */
  @Test
  void sessionsAliveAtCloseArePending() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      writer.write(new ArealEvent.Submitted(3, 7, ORIGIN));
      writer.write(new ArealEvent.Counted(3, "turns", 1));
      writer.write(new ArealEvent.Counted(3, "tool_errors", 0));
      writer.write(new ArealEvent.PhaseStarted(3, Phase.GENERATE, ORIGIN));
    }

    assertThat(lines("session_tracer/sessions-r1.jsonl"))
        .containsExactly(
            "{\"task_id\": 7, \"session_id\": 3, \"rank\": 1, \"status\": \"pending\","
                + " \"submit_ts\": 1763600400.0, \"phases\": {\"generate\": [{\"start_ts\":"
                + " 1763600400.0, \"end_ts\": null}]}, \"counters\": {\"turns\": 1}}");
  }

  @Test
  void endWithoutStartIsASpanOfNoLength() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      writer.write(new ArealEvent.Submitted(0, 0, ORIGIN));
      writer.write(new ArealEvent.PhaseEnded(0, Phase.REWARD, ORIGIN));
    }

    assertThat(lines("session_tracer/sessions-r1.jsonl").get(0))
        .contains("\"reward_s\": 0.0, \"phases\": {\"reward\": [{\"start_ts\": 1763600400.0,");
  }

  @Test
  void perfTimeBeforeTheOriginIsZero() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      writer.write(scope(ORIGIN - SECOND, ORIGIN));
    }

    assertThat(lines("perf_tracer/traces-r1.jsonl").get(3))
        .contains("\"ts\": 0, \"dur\": 1000000,");
  }

  @Test
  void refusesWhatCannotBeRecorded() throws IOException {
    try (ArealWriter writer = new ArealWriter(trial, RANK_1)) {
      assertThatThrownBy(() -> writer.write(new ArealEvent.Finalised(5, "failed", null, ORIGIN)))
          .hasMessage("session: 5 (expected: one that is submitted and not finalised)");
    }
    assertThatThrownBy(() -> new ArealProcess(-1, null, 1, ORIGIN))
        .hasMessage("rank: -1 (expected: >= 0)");
    assertThatThrownBy(() -> new Arg("global_step", 1.5))
        .hasMessage("global_step: 1.5 (expected: Long or String)");
  }

  private static ArealEvent.Scope scope(long startNs, long endNs) {
    return new ArealEvent.Scope(
        "train.save", "io", MAIN, startNs, endNs, List.of(new Arg("global_step", 3L)), null);
  }

  private record PhaseEvent(long timeNs, int order, ArealEvent event) {}

  private static void writeSameSession(ArealWriter writer, JsonNode row) throws IOException {
    long session = row.get("session_id").longValue();
    writer.write(
        new ArealEvent.Submitted(
            session, row.get("task_id").longValue(), ns(row.get("submit_ts"))));
    List<PhaseEvent> events = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      for (JsonNode span : row.path("phases").path(phase.key())) {
        long start = ns(span.get("start_ts"));
        events.add(
            new PhaseEvent(
                start, events.size(), new ArealEvent.PhaseStarted(session, phase, start)));
        if (!span.get("end_ts").isNull()) {
          long end = ns(span.get("end_ts"));
          events.add(
              new PhaseEvent(end, events.size(), new ArealEvent.PhaseEnded(session, phase, end)));
        }
      }
    }
    events.sort(Comparator.comparingLong(PhaseEvent::timeNs).thenComparing(PhaseEvent::order));
    for (PhaseEvent event : events) {
      writer.write(event.event());
    }
    for (Map.Entry<String, JsonNode> counter : row.path("counters").properties()) {
      writer.write(
          new ArealEvent.Counted(session, counter.getKey(), counter.getValue().longValue()));
    }
    if (row.has("finalized_ts")) {
      writer.write(
          new ArealEvent.Finalised(
              session,
              row.get("status").textValue(),
              row.path("reason").textValue(),
              ns(row.get("finalized_ts"))));
    }
  }

  private static void writeSamePerfEvent(
      ArealWriter writer, JsonNode event, Map<Long, String> threads) throws IOException {
    if (event.get("ph").textValue().equals("M")) {
      return; // the writer adds them by itself
    }
    List<Arg> args = new ArrayList<>();
    String exception = null;
    for (Map.Entry<String, JsonNode> arg : event.get("args").properties()) {
      if (arg.getKey().equals("exception")) {
        exception = arg.getValue().textValue();
      } else if (!arg.getKey().equals("rank")) {
        args.add(
            new Arg(
                arg.getKey(),
                arg.getValue().isTextual()
                    ? arg.getValue().textValue()
                    : (Object) arg.getValue().longValue()));
      }
    }
    String name = event.get("name").textValue();
    String category = event.get("cat").textValue();
    long tid = event.get("tid").longValue();
    TracedThread thread = new TracedThread(tid, threads.get(tid));
    long start = ORIGIN + event.get("ts").longValue() * 1000;
    if (event.get("ph").textValue().equals("i")) {
      writer.write(new ArealEvent.Instant(name, category, thread, start, args));
    } else {
      long end = start + event.get("dur").longValue() * 1000;
      writer.write(new ArealEvent.Scope(name, category, thread, start, end, args, exception));
    }
  }

  private static long ns(JsonNode seconds) {
    return seconds.decimalValue().movePointRight(9).longValueExact();
  }

  private static List<String> sampleLines(String name) throws IOException {
    try (InputStream in = ArealWriterTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(trial.resolve(file));
  }
}
