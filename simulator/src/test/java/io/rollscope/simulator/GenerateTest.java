package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerateTest {
  private static final long NOW_S = 1_790_000_000;

  @TempDir Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void xtunerFolderHasTheEventsAskedForInAFileForEachProcess() throws IOException {
    assertThat(generate("--format", "xtuner", "--events", "20000", "--out", out())).isZero();

    assertThat(lines("")).hasSize(20_000);
    assertThat(files("")).hasSize(4);
    assertThat(text(err)).contains("20,000 written");
  }

  @Test
  void linesAreAsLongAsInRealTraces() throws IOException {
    generate("--format", "xtuner", "--events", "20000", "--out", out());

    double bytes = lines("").stream().mapToInt(String::length).average().orElseThrow();
    assertThat(bytes).isCloseTo(408, within(20.0));
  }

  @Test
  void arealFolderHasTheRowsAndPerfEventsAskedFor() throws IOException {
    assertThat(
            generate("--format", "areal", "--events", "9000", "--sessions", "3000", "--out", out()))
        .isZero();

    assertThat(lines("session_tracer")).hasSize(3000);
    assertThat(lines("perf_tracer").stream().filter(line -> !line.contains("\"ph\": \"M\"")))
        .hasSize(9000);
    assertThat(lines("session_tracer").stream().filter(line -> line.contains("\"pending\"")))
        .hasSizeLessThan(3000 / 50 + 1);
  }

  @Test
  void sameSeedGivesTheSameBytes() throws IOException {
    generate("--format", "xtuner", "--events", "5000", "--seed", "-3", "--out", out());
    List<String> first = lines("");
    Path again = folder.resolve("again");
    generate("--format", "xtuner", "--events", "5000", "--seed", "-3", "--out", again.toString());

    assertThat(readAll(again)).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({"xtuner, timestamp_s", "areal, finalized_ts"})
  void runMayEndNow(String format, String key) throws IOException {
    generate("--format", format, "--events", "5000", "--out", out(), "--until-now");

    double newest = lines("").stream().mapToDouble(line -> number(key, line)).max().orElseThrow();
    assertThat(newest).isBetween(NOW_S - 60.0, NOW_S + 0.1);
  }

  @ParameterizedTest
  @CsvSource({
    "--format slime --events 1 --out x, --format: slime (expected: xtuner or areal)",
    "--format xtuner --events -1 --out x, --events: -1 (expected: an integer >= 1)",
    "--format xtuner --events many --out x, --events: many (expected: an integer >= 1)",
    "--format xtuner --events 1 --seed x, --seed: x (expected: an integer)",
    "--format xtuner --events, '--events: (expected: a value, or another option)'",
    "--form xtuner, --form: (expected: an option below)",
    "--events 1 --out x, '(expected: --format, --events and --out)'"
  })
  void wrongCallIsToldWhatWasExpected(String call, String message) {
    assertThat(generate(call.split(" "))).isEqualTo(2);

    assertThat(text(err)).startsWith(message).contains("usage: Generate --format");
  }

  @Test
  void folderWithFilesIsNotWrittenTo() throws IOException {
    Files.createDirectories(Path.of(out()));
    Files.writeString(Path.of(out()).resolve("notes.txt"), "mine");

    assertThat(generate("--format", "xtuner", "--events", "5", "--out", out())).isEqualTo(2);
    assertThat(text(err)).startsWith("--out: " + out() + " (expected: an empty folder)");
  }

  @Test
  void folderThatCannotBeMadeIsReported() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    String below = file.resolve("out").toString();

    assertThat(generate("--format", "xtuner", "--events", "5", "--out", below)).isEqualTo(1);
    assertThat(text(err)).contains("cannot write: ");
  }

  private int generate(String... args) {
    FakePace pace = new FakePace(NOW_S * 1_000_000_000L, now -> {});
    return Generate.run(pace, new PrintStream(err, true, StandardCharsets.UTF_8), args);
  }

  private String out() {
    return folder.resolve("out").toString();
  }

  private List<String> lines(String below) throws IOException {
    return readAll(Path.of(out()).resolve(below));
  }

  private List<Path> files(String below) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(out()).resolve(below))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static List<String> readAll(Path root) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  private static double number(String key, String line) {
    Matcher matcher = Pattern.compile(key + "\": ?([0-9.]+)").matcher(line);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
