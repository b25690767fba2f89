package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.table.SpanTable;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One bad line among good ones, in every format: it is refused with file, line number, value and
 * what was expected, and everything around it is kept.
 */
class BadLinesTest {
  private static final Map<Sort, List<String>> TEXTS =
      Map.of(
          Sort.XTUNER,
          List.of("/status", "/task_name", "/produce_batch_id", "/error_msg"),
          Sort.OTLP,
          List.of(
              "/resourceSpans/0/resource/attributes/0/key",
              "/resourceSpans/0/resource/attributes/0/value/stringValue",
              "/resourceSpans/0/scopeSpans/0/spans/0/traceId",
              "/resourceSpans/0/scopeSpans/0/spans/0/spanId",
              "/resourceSpans/0/scopeSpans/0/spans/0/parentSpanId",
              "/resourceSpans/0/scopeSpans/0/spans/0/name",
              "/resourceSpans/0/scopeSpans/0/spans/0/events/0/name",
              "/resourceSpans/0/scopeSpans/0/spans/0/status/message"),
          Sort.AREAL_SESSIONS,
          List.of("/role", "/status", "/reason"),
          Sort.AREAL_PERF,
          List.of("/name", "/ph"));

  private static final Map<Sort, List<String>> NUMBERS =
      Map.of(
          Sort.XTUNER,
          List.of(
              "/timestamp_s",
              "/train_step",
              "/model_step",
              "/producer_future_step",
              "/worker_rank",
              "/elapsed_s"),
          Sort.OTLP,
          List.of(
              "/resourceSpans/0/scopeSpans/0/spans/0/startTimeUnixNano",
              "/resourceSpans/0/scopeSpans/0/spans/0/endTimeUnixNano"),
          Sort.AREAL_SESSIONS,
          List.of(
              "/rank",
              "/submit_ts",
              "/finalized_ts",
              "/phases/generate/0/start_ts",
              "/phases/generate/0/end_ts",
              "/counters/turns"),
          Sort.AREAL_PERF,
          List.of("/ts", "/dur"));

  /** Fields that take a text or a number. */
  private static final Map<Sort, List<String>> IDS =
      Map.of(
          Sort.XTUNER,
          List.of("/trace_id", "/stage", "/uid", "/session_uid"),
          Sort.OTLP,
          List.of(
              "/resourceSpans/0/scopeSpans/0/spans/0/attributes/0/value/intValue",
              "/resourceSpans/0/scopeSpans/0/spans/0/status/code"),
          Sort.AREAL_SESSIONS,
          List.of("/task_id", "/session_id"),
          Sort.AREAL_PERF,
          List.of("/pid", "/tid"));

  private static final Map<Sort, List<String>> STRUCTURES =
      Map.of(
          Sort.XTUNER,
          List.of(),
          Sort.OTLP,
          List.of(
              "/resourceSpans",
              "/resourceSpans/0",
              "/resourceSpans/0/resource",
              "/resourceSpans/0/resource/attributes",
              "/resourceSpans/0/resource/attributes/0",
              "/resourceSpans/0/resource/attributes/0/value",
              "/resourceSpans/0/scopeSpans",
              "/resourceSpans/0/scopeSpans/0",
              "/resourceSpans/0/scopeSpans/0/spans",
              "/resourceSpans/0/scopeSpans/0/spans/0",
              "/resourceSpans/0/scopeSpans/0/spans/0/attributes",
              "/resourceSpans/0/scopeSpans/0/spans/0/events",
              "/resourceSpans/0/scopeSpans/0/spans/0/events/0",
              "/resourceSpans/0/scopeSpans/0/spans/0/status"),
          Sort.AREAL_SESSIONS,
          List.of("/phases", "/phases/generate", "/phases/generate/0", "/counters"),
          Sort.AREAL_PERF,
          List.of("/args"));

  private static final Map<Sort, List<String>> REQUIRED =
      Map.of(
          Sort.XTUNER,
          List.of("/trace_id", "/stage", "/timestamp_s"),
          Sort.OTLP,
          List.of(
              "/resourceSpans",
              "/resourceSpans/0/scopeSpans/0/spans/0/traceId",
              "/resourceSpans/0/scopeSpans/0/spans/0/spanId",
              "/resourceSpans/0/scopeSpans/0/spans/0/startTimeUnixNano"),
          Sort.AREAL_SESSIONS,
          List.of("/session_id", "/submit_ts", "/phases/generate/0/start_ts"),
          Sort.AREAL_PERF,
          List.of("/name", "/ph", "/ts", "/dur"));

  @TempDir Path folder;

  // ---- values ----------------------------------------------------------------------------------

  static Stream<Arguments> wrongValues() {
    List<Arguments> all = new ArrayList<>();
    for (Sort sort : Sort.values()) {
      add(all, sort, TEXTS, "5", "true", "[1]", "{\"a\":1}");
      add(all, sort, NUMBERS, "\"x\"", "true", "[1]", "{\"a\":1}", "NaN", "Infinity", "-Infinity");
      add(
          all,
          sort,
          NUMBERS,
          "1e999",
          "01",
          "0x10",
          "9".repeat(5_000),
          "\"" + "9".repeat(5_000) + '"');
      add(all, sort, IDS, "true", "[1]", "{\"a\":1}", "NaN");
      add(all, sort, STRUCTURES, "5", "true", "\"x\"");
    }
    return all.stream();
  }

  private static void add(
      List<Arguments> all, Sort sort, Map<Sort, List<String>> fields, String... values) {
    for (String pointer : fields.get(sort)) {
      for (String value : values) {
        all.add(Arguments.of(sort, pointer, value));
      }
    }
  }

  /** Another version of the recorder, a hook that adds its own values, a hand-edited file. */
  @ParameterizedTest
  @MethodSource("wrongValues")
  void aFieldOfTheWrongKindIsRefused(Sort sort, String pointer, String value) throws IOException {
    Example refusal = onlyRefusal(sort, utf8(sort.with(9, pointer, value)));

    String bare = value.replace("\"", "");
    String shown = bare.startsWith("0x") ? "x10" : bare.substring(0, Math.min(2, bare.length()));
    assertThat(refusal.reason().replace("\"", "")).containsAnyOf(shown, "a number of 5000 digits");
  }

  /** A rank that is not set, a field that an older version does not have. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void whatMustBeThereIsMissed(Sort sort) throws IOException {
    for (String pointer : REQUIRED.get(sort)) {
      onlyRefusal(sort, utf8(sort.without(9, pointer)));
      if (!pointer.equals("/resourceSpans")) { // a list that is null is an empty list in OTLP
        onlyRefusal(sort, utf8(sort.with(9, pointer, "null")));
      }
    }
  }

  /** A step counter that ran over; the next new step must not suffer from it. */
  @Test
  void aStepThatDoesNotFitIsRefusedAndLaterStepsAreRead() throws IOException {
    String huge = "99999999999999999999";
    List<String> lines = new ArrayList<>();
    for (String step : List.of("1", huge, "2", huge, "3", huge + "9", "4")) {
      lines.add(Sort.XTUNER.with(lines.size(), "/train_step", step));
    }
    Files.write(folder.resolve(Sort.XTUNER.fileName), lines);

    ReadTraces read = ReadTraces.all(folder);

    assertThat(Sort.XTUNER.kept(read)).isEqualTo(4);
    assertThat(read.skipped().examples()).extracting(Example::line).containsExactly(2L, 4L, 6L);
  }

  /** Recorders write null for what they do not know. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void whatMayBeMissingIsNotMissed(Sort sort) throws IOException {
    for (Map<Sort, List<String>> fields : List.of(TEXTS, NUMBERS, IDS)) {
      for (String pointer : fields.get(sort)) {
        boolean required = REQUIRED.get(sort).contains(pointer);
        boolean listed = pointer.matches(".*/counters/.*");
        if (!required && !listed) {
          allKept(sort, utf8(sort.without(9, pointer)));
          allKept(sort, utf8(sort.with(9, pointer, "null")));
        }
      }
    }
  }

  static Stream<Arguments> timesOutOfReach() {
    List<Arguments> all = new ArrayList<>();
    for (String seconds :
        List.of("1e308", "-1e308", "9223372036.854775807", "-9e18", "4611686019")) {
      all.add(Arguments.of(Sort.XTUNER, "/timestamp_s", seconds));
      all.add(Arguments.of(Sort.XTUNER, "/elapsed_s", seconds));
      all.add(Arguments.of(Sort.AREAL_SESSIONS, "/submit_ts", seconds));
      all.add(Arguments.of(Sort.AREAL_SESSIONS, "/finalized_ts", seconds));
      all.add(Arguments.of(Sort.AREAL_SESSIONS, "/phases/generate/0/start_ts", seconds));
      all.add(Arguments.of(Sort.AREAL_SESSIONS, "/phases/generate/0/end_ts", seconds));
    }
    for (String micros : List.of("1e308", "-1e308", "9223372036854775807", "4000000000000001")) {
      all.add(Arguments.of(Sort.AREAL_PERF, "/ts", micros));
      all.add(Arguments.of(Sort.AREAL_PERF, "/dur", micros));
    }
    for (String nanos :
        List.of("\"9223372036854775807\"", "\"-1\"", "4611686018427387905", "1.5")) {
      all.add(
          Arguments.of(
              Sort.OTLP, "/resourceSpans/0/scopeSpans/0/spans/0/startTimeUnixNano", nanos));
      all.add(
          Arguments.of(Sort.OTLP, "/resourceSpans/0/scopeSpans/0/spans/0/endTimeUnixNano", nanos));
    }
    return all.stream();
  }

  /** Year 2262 and beyond: a counter taken for a clock, a unit mixed up. */
  @ParameterizedTest
  @MethodSource("timesOutOfReach")
  void timesThatDoNotFitAreRefused(Sort sort, String pointer, String value) throws IOException {
    Example refusal = onlyRefusal(sort, utf8(sort.with(9, pointer, value)));

    String field = pointer.substring(pointer.lastIndexOf('/') + 1) + ": ";
    // Of OTLP's requests whole items are refused, in the words that senders get.
    assertThat(refusal.reason())
        .containsAnyOf(field, sort == Sort.OTLP ? "time: in the future (" : field);
  }

  /** A clock that starts at zero, one that runs backwards, times before 1970. */
  @ParameterizedTest
  @EnumSource(value = Sort.class, names = "OTLP", mode = EnumSource.Mode.EXCLUDE)
  void oddTimesAreKept(Sort sort) throws IOException {
    String pointer =
        NUMBERS.get(sort).stream()
            .filter(p -> p.matches(".*(ts|timestamp_s)"))
            .findFirst()
            .orElseThrow();
    for (String value :
        List.of("0", "-0.0", "-1", "-1e9", "1e-320", "5e-324", "1e3", "4e9", "0.1e1")) {
      allKept(sort, utf8(sort.with(9, pointer, value)));
    }
  }

  // ---- lines -----------------------------------------------------------------------------------

  static Stream<Arguments> brokenLines() {
    List<Arguments> all = new ArrayList<>();
    for (Sort sort : Sort.values()) {
      byte[] good = utf8(sort.good(9));
      int inText = new String(good, StandardCharsets.ISO_8859_1).indexOf('æ'); // first byte of 数
      all.add(Arguments.of(sort, "words", utf8("Traceback (most recent call last):")));
      all.add(Arguments.of(sort, "an empty object", utf8("{}")));
      all.add(Arguments.of(sort, "a list", utf8("[]")));
      all.add(Arguments.of(sort, "a number", utf8("42")));
      all.add(Arguments.of(sort, "a text", utf8("\"x\"")));
      all.add(Arguments.of(sort, "nothing", utf8("null")));
      all.add(Arguments.of(sort, "two objects", utf8(sort.good(9) + sort.good(10))));
      all.add(Arguments.of(sort, "one bracket too many", utf8(sort.good(9) + "}")));
      all.add(Arguments.of(sort, "Python's spelling", utf8(sort.good(9).replace('"', '\''))));
      all.add(Arguments.of(sort, "NUL bytes only", new byte[40]));
      all.add(Arguments.of(sort, "NUL in a text", spliced(good, inText, (byte) 0)));
      all.add(Arguments.of(sort, "NUL behind", spliced(good, good.length, (byte) 0)));
      all.add(Arguments.of(sort, "Latin-1", spliced(good, inText, (byte) 0xE4)));
      all.add(Arguments.of(sort, "half a character", spliced(good, inText + 1, (byte) '"')));
      all.add(
          Arguments.of(
              sort,
              "a surrogate in UTF-8",
              spliced(good, inText, (byte) 0xED, (byte) 0xA0, (byte) 0x80)));
      all.add(
          Arguments.of(sort, "an overlong form", spliced(good, inText, (byte) 0xC0, (byte) 0x80)));
      if (sort != Sort.OTLP) { // It is replaced there, as in what is received.
        all.add(Arguments.of(sort, "a lone surrogate", spliced(good, inText, utf8("\\ud83d"))));
      }
      all.add(Arguments.of(sort, "an unknown escape", spliced(good, inText, utf8("\\x41"))));
      all.add(Arguments.of(sort, "a tab in a text", spliced(good, inText, (byte) '\t')));
      all.add(
          Arguments.of(
              sort, "UTF-16", sort.good(9).replace("数学", "").getBytes(StandardCharsets.UTF_16LE)));
      all.add(
          Arguments.of(
              sort,
              "5,000 lists",
              spliced(good, 1, utf8("\"z\":" + "[".repeat(5_000) + "]".repeat(5_000) + ','))));
      all.add(
          Arguments.of(
              sort, "5,000 digits", spliced(good, 1, utf8("\"z\":" + "1".repeat(5_000) + ','))));
      all.add(Arguments.of(sort, "NaN elsewhere", spliced(good, 1, utf8("\"loss\":NaN,"))));
      all.add(Arguments.of(sort, "8 MB of a text", utf8('"' + "x".repeat(8 << 20) + '"')));
      all.add(Arguments.of(sort, "8 MB of brackets", utf8("{\"z\":" + "[".repeat(8 << 20))));
      all.add(Arguments.of(sort, "8 MB of garbage", utf8("é".repeat(4 << 20))));
    }
    return all.stream();
  }

  /** Two writers on one file, a full disk, a log line among the events, binary rubbish. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("brokenLines")
  void aBrokenLineIsRefused(Sort sort, String what, byte[] line) throws IOException {
    onlyRefusal(sort, line);
  }

  /** The first line of a sample is broken: the sample must not show up as queued for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"1e300", "1780000000.0,\"elapsed_s\":1e300"})
  void aRefusedLineLeavesNoSession(String time) throws IOException {
    String line = "{\"trace_id\":\"new:1\",\"stage\":\"x.start\",\"timestamp_s\":" + time + '}';

    onlyRefusal(Sort.XTUNER, utf8(line));
  }

  /** NaN is what diverged losses become in Python's JSON. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void theReasonNamesWhatPythonCallsANumber(Sort sort) throws IOException {
    for (String word : List.of("NaN", "Infinity", "-Infinity")) {
      assertThat(onlyRefusal(sort, utf8(sort.with(9, NUMBERS.get(sort).get(0), word))).reason())
          .contains(word)
          .contains("(expected: ");
    }
  }

  // ---- lines that are unusual and good ---------------------------------------------------------

  static Stream<Arguments> unusualLines() {
    List<Arguments> all = new ArrayList<>();
    for (Sort sort : Sort.values()) {
      byte[] good = utf8(sort.good(9));
      int inText = new String(good, StandardCharsets.ISO_8859_1).indexOf('æ');
      all.add(Arguments.of(sort, "spaces around", utf8("  " + sort.good(9) + " \t ")));
      all.add(Arguments.of(sort, "Windows line end", utf8(sort.good(9) + "\r")));
      all.add(
          Arguments.of(sort, "blank lines around", utf8("\n \n\t\r\n" + sort.good(9) + "\n\n\r")));
      all.add(
          Arguments.of(
              sort,
              "spaces within",
              utf8(sort.good(9).replace(",\"", " , \"").replace("\":", "\" : "))));
      all.add(
          Arguments.of(
              sort,
              "an unknown key",
              spliced(good, 1, utf8("\"z\":{\"a\":[1,null,\"\\u00e9\"]},"))));
      all.add(
          Arguments.of(
              sort,
              "500 lists",
              spliced(good, 1, utf8("\"z\":" + "[".repeat(500) + "]".repeat(500) + ','))));
      all.add(
          Arguments.of(
              sort,
              "1,000 digits elsewhere",
              spliced(good, 1, utf8("\"z\":" + "1".repeat(1_000) + ','))));
      all.add(
          Arguments.of(
              sort,
              "8 MB of output",
              spliced(good, 1, utf8("\"z\":\"" + "数".repeat((8 << 20) / 3) + "\","))));
      all.add(
          Arguments.of(sort, "emoji by escapes", spliced(good, inText, utf8("\\ud83d\\ude00"))));
      all.add(
          Arguments.of(
              sort, "steering characters", spliced(good, inText, utf8("\\u001b[31m\\u202e"))));
      all.add(
          Arguments.of(
              sort, "escaped keys", utf8(sort.good(9).replace("\"status\"", "\"st\\u0061tus\""))));
    }
    return all.stream();
  }

  /** Other writers, other versions, long texts of models. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("unusualLines")
  void anUnusualLineIsKept(Sort sort, String what, byte[] line) throws IOException {
    allKept(sort, line);
  }

  /** An editor on Windows puts a mark in front of the file. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aByteOrderMarkIsNotPartOfTheFirstLine(Sort sort) throws IOException {
    Path file = folder.resolve(sort.fileName);
    Files.writeString(file, "\uFEFF" + sort.good(0) + "\r\n" + sort.good(1) + "\r\n");

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().files()).extracting(f -> f.format().id()).containsExactly(sort.format);
    assertThat(read.skipped().count()).isZero();
    assertThat(sort.kept(read)).isEqualTo(2);
  }

  // ---- the size of lines -----------------------------------------------------------------------

  /** Somebody logged a tensor; or the file is no text at all. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aLineOfMoreThan64MiBIsRefusedAndTheRestIsRead(Sort sort) throws IOException {
    Path file = folder.resolve(sort.fileName);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(utf8(sort.good(0) + '\n'));
      out.write(utf8("{\"z\":\""));
      byte[] block = new byte[1 << 20];
      Arrays.fill(block, (byte) 'x');
      for (int i = 0; i < 65; i++) {
        out.write(block);
      }
      out.write(utf8("\"}\n" + sort.good(1) + "\nbad\n" + sort.good(2) + '\n'));
    }

    ReadTraces read = ReadTraces.all(folder);

    assertThat(sort.kept(read)).isEqualTo(3);
    assertThat(read.skipped().count()).isEqualTo(2);
    assertThat(read.skipped().examples()).extracting(Example::line).containsExactly(2L, 4L);
    assertThat(read.skipped().examples().get(0).reason())
        .isEqualTo("a line of more than 64 MiB (expected: one event per line)");
  }

  // ---- the last line ---------------------------------------------------------------------------

  /** The process was killed while it wrote, at whichever byte; AReaL's own tools then give up. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aTornLastLineIsReportedAndAllBeforeItCount(Sort sort) throws IOException {
    Path file = folder.resolve(sort.fileName);
    byte[] whole = utf8(sort.good(0) + '\n' + sort.good(1) + "\r\n\n");
    byte[] last = utf8(sort.good(2));
    for (int length = 1; length < last.length; length++) {
      Files.write(file, joined(whole, Arrays.copyOf(last, length)));

      ReadTraces read = ReadTraces.all(folder);

      assertThat(sort.kept(read)).as("torn at %d", length).isEqualTo(2);
      assertThat(read.skipped().count()).as("torn at %d", length).isEqualTo(1);
      Example refusal = read.skipped().examples().get(0);
      assertThat(refusal.line()).isEqualTo(4);
      assertThat(refusal.reason()).startsWith("torn last line: ").contains("(expected: ");
    }
  }

  /** The last line is whole; only its line end is missing. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aLastLineWithoutLineEndCounts(Sort sort) throws IOException {
    Files.writeString(folder.resolve(sort.fileName), sort.good(0) + '\n' + sort.good(1));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(sort.kept(read)).isEqualTo(2);
    assertThat(read.skipped().count()).isZero();
  }

  // ---- OTLP ------------------------------------------------------------------------------------

  /** One span of an export request is bad: the others of the line are kept. */
  @Test
  void oneBadSpanDoesNotCostTheOthersOfItsLine() throws IOException {
    String spans = "/resourceSpans/0/scopeSpans/0/spans";
    String bad =
        span(3).replaceAll("\"startTimeUnixNano\":\"\\d+\"", "\"startTimeUnixNano\":\"-5\"");
    String two = "[" + span(1) + "," + bad + "," + span(2) + "]";
    Files.writeString(folder.resolve("traces.jsonl"), Sort.OTLP.with(0, spans, two) + '\n');

    ReadTraces read = ReadTraces.all(folder);

    assertThat(Sort.OTLP.kept(read)).isEqualTo(2);
    assertThat(read.skipped().examples())
        .extracting(Example::reason)
        .containsExactly(
            "1 of 3 spans refused: time: in the future (expected: at most a day ahead of the"
                + " collector's clock)");
  }

  private static String span(int n) {
    String line = Sort.OTLP.good(n);
    int from = line.indexOf("{\"traceId\"");
    return line.substring(from, line.lastIndexOf("]}]}]}"));
  }

  // ---- means -----------------------------------------------------------------------------------

  private Example onlyRefusal(Sort sort, byte[] bad) throws IOException {
    ReadTraces read = readAmongGood(sort, bad);

    assertThat(read.skipped().count()).as("skipped").isEqualTo(1);
    Example refusal = read.skipped().examples().get(0);
    assertThat(refusal.file()).isEqualTo(folder.getFileName() + "/" + sort.fileName);
    assertThat(refusal.line()).isEqualTo(3);
    assertThat(refusal.reason()).contains("(expected: ").doesNotContain("\n").hasSizeLessThan(400);
    assertThat(sort.kept(read)).as("kept").isEqualTo(4);
    assertThat(emptySessions(read.table())).as("sessions only the refused line names").isEmpty();
    return refusal;
  }

  private static List<String> emptySessions(SpanTable table) {
    return IntStream.range(0, table.sessionCount())
        .filter(s -> table.rowCount(s) == 0 && table.sessionCoordinates(s) < 0)
        .mapToObj(table::key)
        .toList();
  }

  private void allKept(Sort sort, byte[] line) throws IOException {
    ReadTraces read = readAmongGood(sort, line);

    assertThat(read.skipped().examples()).isEmpty();
    assertThat(sort.kept(read)).isEqualTo(5);
    assertThat(read.everyReport(2)).isNotEmpty();
  }

  private ReadTraces readAmongGood(Sort sort, byte[] line) throws IOException {
    byte[] before = utf8(sort.good(0) + '\n' + sort.good(1) + '\n');
    byte[] after = utf8('\n' + sort.good(2) + '\n' + sort.good(3) + '\n');
    Files.write(folder.resolve(sort.fileName), joined(before, line, after));
    ReadTraces read = ReadTraces.all(folder);
    assertThat(read.reader().files()).extracting(f -> f.format().id()).containsExactly(sort.format);
    return read;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] spliced(byte[] line, int at, byte... more) {
    return joined(Arrays.copyOf(line, at), more, Arrays.copyOfRange(line, at, line.length));
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
