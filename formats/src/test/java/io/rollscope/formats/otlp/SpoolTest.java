package io.rollscope.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.DroppedBy;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an SDK writes where no port can be opened: starts, beats and verdicts beside the spans. */
class SpoolTest {
  private static final double T0 = 1_780_000_000;

  @TempDir Path folder;

  private static ReadSource sample() throws IOException {
    return ReadSource.of(Samples.folder("rollscope/spool"));
  }

  @Test
  void filesThatBeginWithLogRecordsAreRecognisedAndNothingIsRefused() throws IOException {
    ReadSource source = sample();

    assertThat(source.run().id()).isEqualTo("grpo-spool");
    assertThat(source.reader().unrecognised()).isEmpty();
    assertThat(source.reader().skipped().count()).isZero();
  }

  @Test
  void workIsVisibleFromItsStartRecordOn() throws IOException {
    LiveReport live = sample().live(Scope.ALL, T0 + 20);

    assertThat(live.openSpanSummaries())
        .extracting(OpenSpanSummary::span, OpenSpanSummary::openCount, OpenSpanSummary::worker)
        .contains(tuple("generate", 1, "[rollout] rank 0"), tuple("train", 1, "[trainer] rank 0"))
        .doesNotContain(tuple("judge", 1, "[rollout] rank 7")); // Its process said goodbye.
    assertThat(live.rows())
        .filteredOn(r -> r.stage() != null && r.stage().equals("generate"))
        .singleElement()
        .satisfies(
            r -> {
              assertThat(r.status()).isEqualTo("running");
              assertThat(r.openAgeS()).isEqualTo(11.5);
              assertThat(r.trainStep()).isEqualTo(13);
              assertThat(r.taskName()).isEqualTo("gsm8k");
            });
  }

  /** A policy that got too old while the sample waited: the trainer says so after its end. */
  @Test
  void aVerdictAfterTheEndOverridesTheSpans() throws IOException {
    SessionReport session = sample().session("s-1");

    assertThat(session.status()).isEqualTo("rejected");
    assertThat(session.reason()).isEqualTo("stale policy");
    assertThat(session.endS()).isEqualTo(T0 + 9);
  }

  /** A worker's beats stopped long ago: nobody wrote the file any more, which says nothing. */
  @Test
  void onlyAGoodbyeMakesOpenWorkLost() throws IOException {
    ReadSource source = sample();

    assertThat(source.live(Scope.ALL, T0 + 100_000).sessionSummary())
        .containsEntry("running", 1)
        .containsEntry("lost", 1)
        .containsEntry("failed", 1)
        .containsEntry("rejected", 1);
    assertThat(source.sessions(Scope.ALL).statuses())
        .isEqualTo(Map.of("running", 1, "lost", 1, "failed", 1, "rejected", 1));
  }

  @Test
  void whatProcessesDroppedIsToldByWorker() throws IOException {
    LiveReport live = sample().live(Scope.ALL, T0 + 20);

    assertThat(live.dropped())
        .isEqualTo(
            Map.of(
                "spans",
                1209L,
                "starts",
                3L,
                "metrics",
                1L,
                "attributes",
                0L,
                "deleted",
                0L,
                "verdicts",
                0L));
    assertThat(live.droppedBy())
        .containsExactly(
            new DroppedBy("[rollout] rank 0", "gpu-1", 101L, 1204, 3, 0, 0, 0),
            new DroppedBy("[rollout] rank 7", "gpu-2", 202L, 5, 0, 1, 0, 0));
  }

  @Test
  void countersOfSessionsAreSummed() throws IOException {
    assertThat(sample().sessions(Scope.ALL).counters())
        .isEqualTo(Map.of("turns", 5L, "tool_errors", 1L));
  }

  /** The end of a span may say less than its start. */
  @Test
  void whatOnlyTheStartSaidIsKept() throws IOException {
    String resource =
        "\"resource\":{\"attributes\":[{\"key\":\"rl.run.id\",\"value\":{\"stringValue\":\"r\"}}]}";
    String ids = "\"traceId\":\"%032x\",\"spanId\":\"%016x\"".formatted(1, 2);
    String start =
        ("{\"resourceLogs\":[{%s,\"scopeLogs\":[{\"logRecords\":[{%s,\"timeUnixNano\":\"1000\","
                + "\"eventName\":\"rollscope.span.start\",\"attributes\":["
                + "{\"key\":\"rollscope.span.name\",\"value\":{\"stringValue\":\"generate\"}},"
                + "{\"key\":\"rl.train_step\",\"value\":{\"intValue\":\"4\"}},"
                + "{\"key\":\"rl.session.id\",\"value\":{\"stringValue\":\"s\"}}]}]}]}]}")
            .formatted(resource, ids);
    String end =
        ("{\"resourceSpans\":[{%s,\"scopeSpans\":[{\"spans\":[{%s,\"name\":\"generate\","
                + "\"startTimeUnixNano\":\"1000\",\"endTimeUnixNano\":\"3000\"}]}]}]}")
            .formatted(resource, ids);
    for (List<String> lines : List.of(List.of(start, end), List.of(end, start))) {
      Files.write(folder.resolve("spool.jsonl"), lines);

      SessionReport session = ReadSource.of(folder).session("s");

      assertThat(session.status()).isEqualTo("completed");
      assertThat(session.spans()).singleElement().matches(s -> s.trainStep() == 4);
    }
  }

  /** The collector's file exporter writes all logs of a program. */
  @Test
  void otherLogRecordsAreRefusedByThemselves() throws IOException {
    Path file = Samples.folder("rollscope/spool").resolve("rollout-7-202-000001.jsonl");
    List<String> lines = Files.readAllLines(file);
    Files.write(
        folder.resolve("spool.jsonl"),
        List.of(
            lines.get(0).replaceFirst("rollscope.beat", "an epoch is over"),
            lines.get(1).replaceFirst("service.instance.id", "service.other")));

    ReadSource source = ReadSource.of(folder);

    assertThat(source.reader().skipped().examples())
        .extracting(e -> e.reason())
        .containsExactly(
            "1 of 3 log records refused: log record: not a start, beat or verdict record",
            "1 of 1 log records refused: beat without service.instance.id in its resource (expected:"
                + " the process it is of)");
    assertThat(source.live(Scope.ALL, T0 + 20).sessionSummary()).containsEntry("running", 1);
  }
}
