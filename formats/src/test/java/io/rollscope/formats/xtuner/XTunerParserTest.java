package io.rollscope.formats.xtuner;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext.SkippedLines.Example;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.ReadSource;
import io.rollscope.formats.folder.RunData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XTunerParserTest {
  private static final String GOOD =
      plain("\"gsm8k:7\"", "\"x.start\"", "1.5", "null", "null", "3", "null", "null");

  @TempDir Path folder;

  /** A line in the layout of XTuner's recorder. */
  private static String plain(
      String trace,
      String stage,
      String time,
      String status,
      String task,
      String step,
      String elapsed,
      String error) {
    return String.join(
        ",",
        "{\"trace_id\":" + trace,
        "\"stage\":" + stage,
        "\"timestamp_s\":" + time,
        "\"status\":" + status,
        "\"task_name\":" + task,
        "\"uid\":7",
        "\"session_uid\":null",
        "\"train_step\":" + step,
        "\"model_step\":null",
        "\"producer_future_step\":4",
        "\"produce_batch_id\":\"b\"",
        "\"worker_rank\":null",
        "\"elapsed_s\":" + elapsed,
        "\"error_msg\":" + error + "}");
  }

  private static List<String> told(SpanTable table) {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < table.rows(); row++) {
      rows.add(
          String.join(
              " ",
              table.key(table.session(row)),
              table.nameOf(table.name(row)).toString(),
              String.valueOf(table.kind(row)),
              String.valueOf(table.time(row)),
              String.valueOf(table.extent(row)),
              table.coordinatesOf(table.coordinates(row)).toString(),
              table.noteText(table.note(row))));
    }
    return rows;
  }

  // ---- two ways through a line -----------------------------------------------------------------

  @Provide
  Arbitrary<String> times() {
    return Arbitraries.of(
        "0",
        "1.5",
        "1781000850.1250284",
        "-1.5",
        "1e3",
        "1E3",
        "1.5e-3",
        "-0",
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "--1",
        "1e999",
        "5e9",
        "\"1.5\"",
        "\"zz\"",
        "null",
        "true",
        "+1",
        "1-2");
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
        "null",
        "\"\"",
        "\"init\"",
        "\"completed\"",
        "\"gsm8k:7\"",
        "\"ä€\ud83d\ude00\"",
        "\"\\u0041\"",
        "\"\\n\"",
        "\"x.start\"",
        "\"x.end\"",
        "\"x.error\"",
        "\".end\"",
        "\"CancelledError: gone\"",
        "5",
        "\"a\tb\"",
        "{}",
        "true");
  }

  @Provide
  Arbitrary<String> integers() {
    return Arbitraries.of(
        "null",
        "0",
        "3",
        "-3",
        "03",
        "3.0",
        "3.5",
        "\"3\"",
        "9223372036854775807",
        "9223372036854775808",
        "170141183460469231731687303715884105728",
        "1e2");
  }

  @Provide
  Arbitrary<List<String>> lines() {
    Arbitrary<String> line =
        net.jqwik.api.Combinators.combine(
                texts(), texts(), times(), texts(), texts(), integers(), times(), texts())
            .as(XTunerParserTest::plain);
    // Most values of a line are good, so that single bad ones are seen as such.
    Arbitrary<String> nearlyGood =
        net.jqwik.api.Combinators.combine(times(), texts(), integers(), texts())
            .as(
                (time, status, step, error) ->
                    plain("\"gsm8k:7\"", "\"x.end\"", time, status, "null", step, "0.5", error));
    return Arbitraries.oneOf(Arbitraries.just(GOOD), nearlyGood, line).list().ofMaxSize(12);
  }

  /** The fast way takes lines as the recorder writes them; a space sends a line the other way. */
  @Property(tries = 3_000)
  void bothWaysThroughALineReadTheSame(@ForAll("lines") List<String> lines) {
    List<String> spaced =
        lines.stream().map(l -> l.replaceFirst("\"stage\":", "\"stage\": ")).toList();

    assertThat(read(lines)).isEqualTo(read(spaced));
  }

  /** Other writers keep no order of keys. */
  @Property
  void theOrderOfTheKeysDoesNotMatter(
      @ForAll("lines") @Size(max = 3) List<String> lines, @ForAll Random random) {
    List<String> shuffled = new ArrayList<>();
    for (String line : lines) {
      List<String> parts =
          new ArrayList<>(List.of(line.substring(1, line.length() - 1).split(",(?=\"\\w+\":)")));
      Collections.shuffle(parts, random);
      shuffled.add("{" + String.join(",", parts) + "}");
    }

    assertThat(read(shuffled)).isEqualTo(read(lines));
  }

  /** Rows told and how many lines were refused. */
  private static List<String> read(List<String> lines) {
    Path file = null;
    try {
      file = Files.createTempFile("producer_trace_", ".jsonl");
      Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      ReadSource source = ReadSource.of(file);
      List<String> told = new ArrayList<>(told(source.table()));
      told.add(source.context().skippedLines().count() + " refused");
      told.add(source.table().sessionCount() + " sessions");
      return told;
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      if (file != null) {
        assertThat(file.toFile().delete()).isTrue();
      }
    }
  }

  // ---- refused lines ---------------------------------------------------------------------------

  /** A counter that ran over in a broken writer must not end the reading. */
  @Test
  void aStepBeyondSixtyFourBitsIsRefusedAndTheNextLineRead() throws IOException {
    String bad =
        plain(
            "\"gsm8k:7\"",
            "\"x.start\"",
            "1.0",
            "null",
            "null",
            "99999999999999999999",
            "null",
            "null");
    new TraceLines(folder).line(bad).line(GOOD).line(bad).line(GOOD);

    ReadSource source = ReadSource.of(folder);

    assertThat(source.table().rows()).isEqualTo(2);
    assertThat(source.context().skippedLines().examples())
        .extracting(Example::line)
        .containsExactly(1L, 3L);
  }

  /** Otherwise a session that never was would be shown as queued for ever. */
  @Test
  void aRefusedLineLeavesNoSessionBehind() throws IOException {
    new TraceLines(folder)
        .line("{\"trace_id\":\"ghost 1\",\"stage\":\"x\",\"timestamp_s\":1e300}")
        .line("{\"trace_id\":\"ghost 2\",\"stage\":\"x\",\"timestamp_s\":1,\"elapsed_s\":1e300}")
        .line(
            "{\"trace_id\":\"ghost 3\",\"stage\":\"" + "x".repeat(70_000) + "\",\"timestamp_s\":1}")
        .line(
            plain(
                "\"ghost 4\"",
                "\"" + "x".repeat(70_000) + "\"",
                "1",
                "null",
                "null",
                "1",
                "null",
                "null"))
        .line(GOOD);

    ReadSource source = ReadSource.of(folder);
    LiveReport report = source.live(Scope.ALL, 10);

    assertThat(report.skippedLines().count()).isEqualTo(4);
    assertThat(report.rows()).extracting(LiveReport.Row::session).containsExactly("gsm8k:7");
    assertThat(source.table().sessionCount()).isEqualTo(1);
  }

  @Test
  void theReasonOfARefusalNamesFileLineFieldAndValue() throws IOException {
    new TraceLines(folder)
        .line(GOOD)
        .line("{\"trace_id\":\"a\",\"stage\":\"x\"}")
        .line("")
        .line("{\"trace_id\":\"a\",\"stage\":\"x\",\"timestamp_s\":\"zz\"}");

    List<Example> examples = ReadSource.of(folder).context().skippedLines().examples();

    String file = folder.getFileName() + "/producer_trace_4242_0001_000000.jsonl";
    assertThat(examples)
        .containsExactly(
            new Example(file, 2, "no timestamp_s (expected: trace_id, stage and timestamp_s)"),
            new Example(file, 4, "timestamp_s: \"zz\" (expected: a number)"));
  }

  // ---- meaning ---------------------------------------------------------------------------------

  @Test
  void stagesAreShownByXTunersShortNames() {
    assertThat(XTunerFormat.stageOf("xtuner.producer.sample_group")).isEqualTo("sampler");
    assertThat(XTunerFormat.stageOf("xtuner.producer.generate_group"))
        .isEqualTo("producer.generate");
    assertThat(XTunerFormat.stageOf("xtuner.producer.put_generated_group"))
        .isEqualTo("producer.put");
    assertThat(XTunerFormat.stageOf("xtuner.agent_loop.generate_group"))
        .isEqualTo("agent_loop.generate_group");
    assertThat(XTunerFormat.stageOf("xtuner.agent_loop.generate_sample"))
        .isEqualTo("agent_loop.generate_sample");
    assertThat(XTunerFormat.stageOf("xtuner.rollout_controller.generate"))
        .isEqualTo("rollout.generate");
    assertThat(XTunerFormat.stageOf("xtuner.rollout_worker.generate"))
        .isEqualTo("rollout_worker.generate");
    assertThat(XTunerFormat.stageOf("xtuner.rollout_engine.generate")).isEqualTo("engine.generate");
    assertThat(XTunerFormat.stageOf("xtuner.judger.judge")).isEqualTo("judger");
    assertThat(XTunerFormat.stageOf("xtuner.partial_rollout_handler.preprocess"))
        .isEqualTo("partial_rollout_handler.preprocess");
    assertThat(XTunerFormat.stageOf("custom.x")).isEqualTo("custom.x");
    assertThat(XTunerFormat.stageOf("xtuner.xtuner.y")).isEqualTo("xtuner.y");
    assertThat(XTunerFormat.stageOf("")).isEqualTo("unknown");
    assertThat(XTunerFormat.stageOf(null)).isEqualTo("unknown");
  }

  /** The producer cancels what is left when training pauses; that is nobody's fault. */
  @Test
  void aCancelledErrorIsACancellation() throws IOException {
    new TraceLines(folder)
        .start("a", "x", 1)
        .error("a", "x", 2, "CancelledError: ")
        .start("b", "x", 1)
        .error("b", "x", 2, "ValueError: CancelledError");

    LiveReport report = ReadSource.of(folder).live(Scope.ALL, 10);

    assertThat(report.sessionSummary()).containsEntry("cancelled", 1).containsEntry("failed", 1);
  }

  /** Sixteen ranks write into one folder; the pids have no order in time. */
  @Test
  void filesAreReadInOrderOfTheirNames() throws IOException {
    Files.writeString(folder.resolve("producer_trace_9_0001_000000.jsonl"), GOOD + "\n");
    Files.writeString(
        folder.resolve("producer_trace_10_0001_000000.jsonl"), GOOD.replace("1.5", "9.5") + "\n");

    RunData run = ReadSource.of(folder).run();

    assertThat(run.table().time(0)).isEqualTo(Nanos.fromSeconds(9.5));
    assertThat(run.table().time(1)).isEqualTo(Nanos.fromSeconds(1.5));
  }
}
