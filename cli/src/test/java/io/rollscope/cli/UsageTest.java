package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes and what is said when something is wrong: scripts and people rely on both. */
class UsageTest {
  private static final String ERROR = "rollscope: [^:]+: .+ \\(expected: .+\\)";

  @TempDir Path folder;

  static Stream<Arguments> wrongCalls() {
    return Stream.of(
            "",
            "fly",
            "hotspot RUN",
            "session",
            "session RUN a b",
            "hotspots RUN localhost:1",
            "hotspots http://",
            "hotspots http://a/?b",
            "hotspots localhost:99999",
            "hotspots localhost:1 --as otlp",
            "query",
            "server",
            "server fly",
            "server start --port x",
            "server start --port 65536",
            "server start --otlp-http-port -1",
            "server start --retention 7",
            "server start --metrics-namespace 9x",
            "server start --metrics-namespace rollscope",
            "server start --forward ftp://tempo:4318",
            "server start --forward http://tempo:4318 --forward-header authorization",
            "server start --retention 0d",
            "server stop now",
            "server status --format xml",
            "watch",
            "watch RUN --as xml",
            "hotspots RUN --fromat json",
            "hotspots RUN --format xml",
            "hotspots RUN --format",
            "hotspots RUN --scope newest",
            "hotspots RUN --scope all --batch x",
            "hotspots RUN --as xml",
            "diagnose RUN --scope newest",
            "diagnose RUN --step x",
            "diagnose RUN --step 1 --scope all",
            "diagnose RUN --step 1 --batch x",
            "diagnose RUN --now soon",
            "hotspots RUN --run",
            "hotspots RUN --run a --run b",
            "live RUN --now soon",
            "live RUN --once --now NaN",
            "live RUN --once --now 1e300",
            "sessions RUN -B x",
            "sessions RUN -B 0",
            "sessions RUN -B -3",
            "sessions RUN -B 99999999999",
            "session RUN gsm8k:0 extra",
            "session RUN gsm8k:0 --now x",
            "stack",
            "stack fly",
            "stack start --with jaeger",
            "stack start --prometheus-port x",
            "stack status now",
            "targets",
            "targets add",
            "targets add h:1 --label x",
            "targets add h:1 --interval soon",
            "targets list h:1",
            "targets remove",
            "completion fish",
            "completion",
            "demo --speed 0",
            "demo --speed fast",
            "demo --seed x",
            "demo --duration 0",
            "demo --port 70000",
            "demo --dir RUN --data RUN",
            "demo here")
        .map(Arguments::of);
  }

  /** Typing errors: exit code 2, and one line that says what was meant to be there. */
  @ParameterizedTest
  @MethodSource("wrongCalls")
  void aWrongCallEndsWithTwo(String call) throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Object[] args =
        Arrays.stream(call.split(" "))
            .filter(a -> !a.isEmpty())
            .map(a -> a.equals("RUN") ? run.toString() : a)
            .toArray();

    CommandRun done = CommandRun.of(args);

    assertThat(done.code()).as(done.err()).isEqualTo(2);
    assertThat(done.out()).isEmpty();
    assertThat(done.errLines()).hasSize(1);
    assertThat(done.errLines().get(0)).matches(ERROR);
  }

  @Test
  void theErrorNamesTheValueAndTheChoices() throws IOException {
    Path run = Traces.xtuner(folder, "run1");

    assertThat(CommandRun.of("hotspots", run, "--format", "xml").err())
        .startsWith("rollscope: --format: xml (expected: table, json or csv");
    assertThat(CommandRun.of("hotspots", run, "--scope", "newest").err())
        .isEqualTo("rollscope: --scope: newest (expected: active, latest or all)\n");
    assertThat(CommandRun.of("hotspots", run, "--as", "xml").err())
        .isEqualTo("rollscope: --as: xml (expected: xtuner, otlp, areal-sessions or areal-perf)\n");
    assertThat(CommandRun.of("fly").err())
        .startsWith("rollscope: command: fly (expected: ")
        .contains("hotspots");
    assertThat(CommandRun.of("session").err())
        .startsWith("rollscope: [SRC] ID: missing (expected: ");
    assertThat(CommandRun.of("hotspots", run, "--fromat", "json").err())
        .startsWith("rollscope: argument: --fromat")
        .contains("rollscope hotspots --help");
  }

  static Stream<Arguments> failures() {
    return Stream.of("hotspots", "sessions", "live --once", "session", "diagnose")
        .map(Arguments::of);
  }

  /** A path with a typing error. */
  @ParameterizedTest
  @MethodSource("failures")
  void aSourceThatIsNotThereEndsWithOne(String command) {
    CommandRun done = run(command, folder.resolve("nowhere"));

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out()).isEmpty();
    assertThat(done.errLines()).hasSize(1);
    assertThat(done.err())
        .isEqualTo(
            "rollscope: source: "
                + folder.resolve("nowhere")
                + " (expected: an existing folder or file, or a glob)\n");
  }

  /** The wrong folder: it says what was looked for and what was found. */
  @ParameterizedTest
  @MethodSource("failures")
  void nothingRecognisableEndsWithOne(String command) throws IOException {
    Files.writeString(folder.resolve("train.jsonl"), "{\"question\": 1}\n");
    Files.createFile(folder.resolve("empty.jsonl"));

    CommandRun done = run(command, folder);

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.out()).isEmpty();
    assertThat(done.errLines()).hasSize(1);
    assertThat(done.errLines().get(0))
        .matches(ERROR)
        .contains("no traces in " + folder)
        .contains("train.jsonl (unknown)")
        .contains("empty.jsonl (empty file")
        .contains("XTuner")
        .contains("AReaL")
        .contains("OTLP");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anEmptyFolderEndsWithOne(String command) {
    CommandRun done = run(command, folder);

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).contains("found no *.jsonl files");
  }

  private static CommandRun run(String command, Path source) {
    Stream<Object> id = command.equals("session") ? Stream.of("x") : Stream.empty();
    String[] words = command.split(" ");
    return CommandRun.of(
        Stream.of(Stream.<Object>of(words[0], source), Arrays.stream(words).skip(1), id)
            .flatMap(s -> s)
            .toArray());
  }

  @Test
  void aGlobThatMatchesNothingEndsWithOne() throws IOException {
    Traces.xtuner(folder, "run1");

    CommandRun done = CommandRun.of("hotspots", folder + "/run1/nope*.jsonl");

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).matches(ERROR + "\n");
  }

  @Test
  void anUnknownSessionIsToldWithSimilarOnes() throws IOException {
    CommandRun done = CommandRun.of("session", Traces.xtuner(folder, "run1"), "gsm8k");

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err())
        .isEqualTo(
            "rollscope: session: gsm8k (expected: one of 4 in run1, e.g. gsm8k:0, gsm8k:1, gsm8k:2)\n");
  }

  /** A batch id copied from another run must not look like a run without work. */
  @Test
  void anUnknownBatchIsRefused() throws IOException {
    CommandRun done =
        CommandRun.of("hotspots", Traces.xtuner(folder, "run1"), "--batch", "train_step=99");

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).startsWith("rollscope: --batch: train_step=99 (expected: ");
  }

  @Test
  void anUnknownRunIsToldWithTheKnownOnes() throws IOException {
    Traces.xtuner(folder, "run1");
    Traces.xtuner(folder, "run2");

    CommandRun done = CommandRun.of("hotspots", folder, "--run", "run3");

    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).isEqualTo("rollscope: --run: run3 (expected: one of run1, run2)\n");
  }

  @Test
  void theStackIsShownOnlyOnDemand() {
    CommandRun plain = CommandRun.of("hotspots", folder.resolve("nowhere"));
    CommandRun debug = CommandRun.of("hotspots", folder.resolve("nowhere"), "--debug");

    assertThat(plain.err()).doesNotContain("\tat ");
    assertThat(debug.code()).isEqualTo(1);
    assertThat(debug.errLines().get(0)).isEqualTo(plain.errLines().get(0));
    assertThat(debug.err()).contains("\tat io.rollscope.cli.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "live --help",
        "hotspots --help",
        "sessions --help",
        "session --help",
        "demo --help",
        "targets --help",
        "targets add --help",
        "targets list --help",
        "targets remove --help",
        "--version",
        "completion bash",
        "completion zsh"
      })
  void helpIsNoError(String call) {
    CommandRun done = CommandRun.of((Object[]) call.split(" "));

    assertThat(done.code()).isZero();
    assertThat(done.out()).isNotBlank();
    assertThat(done.err()).isEmpty();
  }

  // ---- lines that were skipped -----------------------------------------------------------------

  @Test
  void skippedLinesAreAWarningUnlessOneIsStrict() throws IOException {
    Path run = Traces.xtuner(folder, "run1");
    Files.write(
        run.resolve("producer_trace_2.jsonl"),
        List.of(Traces.event("gsm8k:9", "a.start", 1, "init", null), "torn", "{}"));

    CommandRun done = CommandRun.of("hotspots", run);
    assertThat(done.code()).isZero();
    assertThat(done.out()).contains("judger");
    assertThat(done.errLines())
        .containsExactly(
            "warning: skipped 2 lines or files:",
            "  run1/producer_trace_2.jsonl:2: not JSON: torn (expected: a JSON object)",
            "  run1/producer_trace_2.jsonl:3: no trace_id (expected: trace_id, stage and timestamp_s)");

    for (List<Object> call :
        List.of(
            List.<Object>of("hotspots", run, "--strict"),
            List.<Object>of("sessions", run, "--strict"),
            List.<Object>of("live", run, "--once", "--strict"),
            List.<Object>of("session", run, "gsm8k:0", "--strict"))) {
      CommandRun strict = CommandRun.of(call.toArray());
      assertThat(strict.code()).as("%s", call).isEqualTo(1);
      assertThat(strict.out()).isNotBlank();
      assertThat(strict.errLines())
          .last()
          .isEqualTo("rollscope: --strict: 2 lines or files skipped (expected: none)");
    }
    CommandRun quiet = CommandRun.of("hotspots", run, "--quiet");
    assertThat(quiet.code()).isZero();
    assertThat(quiet.err()).isEmpty();
    CommandRun both = CommandRun.of("hotspots", run, "--quiet", "--strict");
    assertThat(both.code()).isEqualTo(1);
    assertThat(both.err()).matches(ERROR + "\n");
  }

  @Test
  void strictIsContentWithCleanFiles() throws IOException {
    CommandRun done = CommandRun.of("hotspots", Traces.xtuner(folder, "run1"), "--strict");

    assertThat(done.code()).isZero();
    assertThat(done.err()).isEmpty();
  }

  // ---- which run -------------------------------------------------------------------------------

  @Test
  void theNewestRunIsShownUnlessOneIsChosen() throws IOException {
    Traces.xtuner(folder, "run1");
    Traces.areal(folder, "trial"); // older
    Files.writeString(folder.resolve("train.jsonl"), "{\"question\": 1}\n");

    CommandRun newest = CommandRun.of("sessions", folder);
    assertThat(newest.code()).isZero();
    assertThat(newest.out()).startsWith("run1  scope active");
    assertThat(newest.errLines())
        .containsExactly(
            "note: other runs here: trial (choose with --run)",
            "note: not a known trace format: train.jsonl");
    assertThat(CommandRun.of("sessions", folder, "--run", "trial").out())
        .startsWith("trial  scope active  4 sessions");
  }

  /** One request of a process: its step and its end, minutes after a certain time. */
  private static String process(String instance, int step, int fromMinute, int toMinute) {
    String resource =
        """
        "resource":{"attributes":[{"key":"rl.run.id","value":{"stringValue":"grpo-1"}},\
        {"key":"service.instance.id","value":{"stringValue":"%s"}},\
        {"key":"rl.worker.rank","value":{"intValue":"0"}}]}"""
            .formatted(instance);
    long from = 1_784_366_100L + 60L * fromMinute;
    long to = 1_784_366_100L + 60L * toMinute;
    return """
    {"resourceSpans":[{%s,"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x",\
    "name":"generate","startTimeUnixNano":"%d000000000","endTimeUnixNano":"%d000000000",\
    "attributes":[{"key":"rl.train_step","value":{"intValue":"%d"}}]}]}]}]}
    {"resourceLogs":[{%s,"scopeLogs":[{"logRecords":[{"timeUnixNano":"%d000000000",\
    "eventName":"rollscope.process.end"}]}]}]}
    """
        .formatted(resource, from, from, from, to, step, resource, to);
  }

  @Test
  void twoRunsOfOneNameInOneFolderAreNotMergedSilently() throws IOException {
    Path file = folder.resolve("spool.jsonl");
    Files.writeString(file, process("a", 1, 0, 40) + process("b", 1, 45, 60));

    assertThat(CommandRun.of("sessions", folder).err())
        .matches(
            "note: run grpo-1: begun twice in this folder, at 2026-07-1\\d \\d\\d:\\d\\d and at"
                + " 2026-07-1\\d \\d\\d:\\d\\d \\(their sessions are shown together;"
                + " give each its own rl\\.run\\.id\\)\n");

    Files.writeString(file, process("a", 1, 0, 40) + process("b", 7, 45, 60)); // Went on.
    assertThat(CommandRun.of("sessions", folder).err()).isEmpty();
  }

  @Test
  void aRunCanBeGivenAName() throws IOException {
    Path run = Traces.xtuner(folder, "run1");

    assertThat(CommandRun.of("hotspots", run, "--run", "mine").out())
        .startsWith("mine  scope active");
  }

  @Test
  void aFormatCanBeForced() throws IOException {
    Path run = Traces.xtuner(folder, "run1");

    CommandRun done = CommandRun.of("hotspots", run, "--as", "otlp");

    assertThat(done.code()).isZero();
    assertThat(done.err())
        .contains("warning: skipped 7 lines or files:")
        .contains("no resourceSpans");
  }

  @Test
  void severalSourcesAreReadTogether() throws IOException {
    Path one = Traces.xtuner(folder.resolve("a"), "run1");
    Path two =
        Traces.write(
            folder.resolve("b"),
            "run1",
            "x.jsonl",
            List.of(Traces.event("other:1", "s.start", 3, "init", null)));

    assertThat(CommandRun.of("hotspots", one, two, "--scope", "all").out())
        .startsWith("run1  scope all  5 sessions");
  }
}
