package io.rollscope.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder that others can write to: what they put beside the traces is skipped in a few lines. */
class HostileFolderTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path folder;

  /** Before the folder is deleted with all that is in it. */
  @AfterEach
  void takeLinksAway() throws IOException {
    Files.deleteIfExists(folder.resolve("run1/root"));
  }

  private Path hostile() throws Exception {
    Path run = Traces.xtuner(folder, "run1");
    pipe(run.resolve("producer_trace_x.jsonl"));
    Files.createSymbolicLink(run.resolve("zero.jsonl"), Path.of("/dev/zero"));
    Files.createSymbolicLink(run.resolve("nowhere.jsonl"), run.resolve("gone"));
    Files.createSymbolicLink(run.resolve("self.jsonl"), run.resolve("self.jsonl"));
    Files.createSymbolicLink(run.resolve("loop"), run);
    Files.createSymbolicLink(run.resolve("root"), Path.of("/"));
    Files.createDirectory(run.resolve("folder.jsonl"));
    Files.createFile(run.resolve("empty.jsonl"));
    Files.write(run.resolve("nul.jsonl"), new byte[100_000]);
    Files.writeString(run.resolve("deep.jsonl"), "[".repeat(1_000_000) + "\n");
    Files.writeString(run.resolve("objects.jsonl"), "{\"a\":".repeat(200_000) + "\n");
    Files.write(run.resolve("zipped.jsonl"), bomb());
    Files.writeString(run.resolve("name\n\u001b[2J\u202e.jsonl"), "no \u001b[2J trace\n");
    try (RandomAccessFile line = new RandomAccessFile(run.resolve("line.jsonl").toFile(), "rw")) {
      line.setLength(1L << 30); // a hole on disk, a line of 1 GiB to a reader
    }
    return run;
  }

  private static void pipe(Path pipe) throws Exception {
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo");
  }

  private static byte[] bomb() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(new byte[1 << 20]);
    }
    return bytes.toByteArray();
  }

  private static CommandRun run(Object... arguments) {
    return assertTimeoutPreemptively(LONG, () -> CommandRun.of(arguments));
  }

  private static void assertCalm(CommandRun run) {
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.errLines()).hasSizeLessThan(20);
    assertThat((run.out() + run.err()).chars())
        .noneMatch(c -> c != '\n' && Character.isISOControl(c) || c == 0x202e);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hotspots", "sessions", "live"})
  void answerIsThatOfTheGoodFiles(String command) throws Exception {
    List<String> options =
        command.equals("live")
            ? List.of("--once", "--scope", "all", "--now", "1781000100")
            : List.of("--scope", "all");
    Path clean = Traces.xtuner(folder.resolve("clean"), "run1");
    ObjectNode expected = report(command, clean, options);
    Path hostile = hostile();
    assertThat(report(command, hostile, options)).isEqualTo(expected);
  }

  private static ObjectNode report(String command, Path source, List<String> options)
      throws IOException {
    List<Object> arguments = new java.util.ArrayList<>(List.of(command, source));
    arguments.addAll(options);
    assertCalm(run(arguments.toArray()));
    arguments.addAll(List.of("--format", "json"));
    CommandRun done = run(arguments.toArray());
    ObjectNode report = (ObjectNode) JSON.readTree(done.out());
    return report.without(List.of("source", "skipped_lines", "path", "files"));
  }

  @Test
  void reportAndConversionAreThoseOfTheGoodFiles() throws Exception {
    Path hostile = hostile();
    Path clean = Traces.xtuner(folder.resolve("clean"), "run1");
    for (String format : List.of("otlp", "chrome")) {
      Path one = folder.resolve("one." + format);
      Path other = folder.resolve("other." + format);
      assertCalm(run("convert", hostile, "--to", format, "-o", one));
      assertCalm(run("convert", clean, "--to", format, "-o", other));
      assertThat(Files.readString(one, UTF_8)).isEqualTo(Files.readString(other, UTF_8));
    }
    Path page = folder.resolve("page.html");
    assertCalm(run("report", hostile, "-o", page));
    assertThat(page).isNotEmptyFile();
  }

  /** Named by the user, a pipe without a writer is an error and not a wait. */
  @ParameterizedTest
  @ValueSource(strings = {"hotspots", "sessions", "live", "report", "convert"})
  void pipeAsSourceIsAnError(String command) throws Exception {
    Path pipe = folder.resolve("producer_trace_x.jsonl");
    pipe(pipe);
    CommandRun done = command.equals("live") ? run("live", pipe, "--once") : run(command, pipe);
    assertThat(done.code()).isNotZero();
    assertThat(done.err()).contains(pipe.toString()).contains("(expected: ");
    assertThat(done.errLines()).hasSizeLessThan(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"convert", "report"})
  void outputIsNeverAnInputAndNeverHalfAFile(String command) throws Exception {
    Path run = Traces.xtuner(folder, "run1");
    Path input = run.resolve("producer_trace_1_0001_000000.jsonl");
    String before = Files.readString(input, UTF_8);
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), input);
    Path hard = Files.createLink(folder.resolve("hard.html"), input);
    Path around = run.resolve("../run1/./" + input.getFileName());
    for (Path output : List.of(input, link, hard, around)) {
      CommandRun done = run(command, run, "-o", output);
      assertThat(done.code()).isEqualTo(1);
      assertThat(done.err()).contains("(expected: not one of the inputs)");
    }
    assertThat(Files.readString(input, UTF_8)).isEqualTo(before);
    try (var inside = Files.list(run)) {
      assertThat(inside).containsExactly(input);
    }
  }

  /** A run may be called anything; no file is named after it. */
  @ParameterizedTest
  @ValueSource(strings = {"../../evil", "/etc/evil", "..", "a/../../b", "evil\u0000.html"})
  void nameOfARunIsNoPath(String name) throws Exception {
    String span =
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"rl.run.id\",\"value\":"
            + "{\"stringValue\":"
            + JSON.writeValueAsString(name)
            + "}}]},\"scopeSpans\":[{\"spans\":[{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\","
            + "\"spanId\":\"b7ad6b7169203331\",\"name\":\"session\","
            + "\"startTimeUnixNano\":\"1781000000000000000\",\"endTimeUnixNano\":"
            + "\"1781000001000000000\",\"attributes\":[{\"key\":\"rl.kind\",\"value\":"
            + "{\"stringValue\":\"session\"}}]}]}]}]}";
    Path source = Files.createDirectories(folder.resolve("deep/er/source"));
    Files.writeString(source.resolve("x.jsonl"), span + "\n");
    assertCalm(run("report", source, "-o", folder.resolve("out/page.html")));
    assertCalm(run("convert", source, "--to", "otlp"));
    try (var all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile).map(p -> folder.relativize(p).toString()))
          .containsExactlyInAnyOrder(
              "deep/er/source/x.jsonl", "deep/er/source/traces.otlp", "out/page.html");
    }
  }
}
