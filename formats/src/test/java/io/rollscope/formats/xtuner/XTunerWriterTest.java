package io.rollscope.formats.xtuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XTunerWriterTest {
  private static final String FILE = "producer_trace_4242_0001_000000.jsonl";
  private static final Coordinates SOMEWHERE =
      new Coordinates(null, 3L, 2L, 4L, null, "gsm8k", Worker.UNKNOWN, "init");

  @TempDir Path folder;

  @Test
  void repeatsTheLinesOfXTunersOwnRecorderByteForByte() throws IOException {
    List<String> sample = sampleLines();
    try (XTunerWriter writer = new XTunerWriter(folder, 4242)) {
      for (String line : sample) {
        appendSameValues(writer, new ObjectMapper().readTree(line));
      }
    }

    assertThat(lines(FILE)).hasSizeGreaterThan(40).isEqualTo(sample);
  }

  @Test
  void eventsInNanosecondsGiveTheSameTimestamps() throws IOException {
    List<String> starts = sampleLines().stream().filter(line -> line.contains(".start\"")).toList();
    try (XTunerWriter writer = new XTunerWriter(folder, 4242)) {
      for (String line : starts) {
        JsonNode fields = new ObjectMapper().readTree(line);
        long timeNs = fields.get("timestamp_s").decimalValue().movePointRight(9).longValueExact();
        String stage = fields.get("stage").textValue();
        writer.write(
            new Event.Start(
                fields.get("trace_id").textValue(),
                stage.substring(0, stage.length() - ".start".length()),
                timeNs,
                coordinates(fields)));
      }
    }

    assertThat(lines(FILE)).isEqualTo(starts);
  }

  @Test
  void endsErrorsCancellationsAndPointsHaveTheirSuffixes() throws IOException {
    write(
        end("gsm8k:7", Outcome.OK, null),
        end("gsm8k:7", Outcome.ERROR, "TimeoutError: judge took too long"),
        end("gsm8k:7", Outcome.CANCELLED, "CancelledError: aborted"),
        new Event.Point(
            "gsm8k:7", "custom.prepare", 1_780_000_000_000_000_000L, SOMEWHERE, Map.of()));

    assertThat(lines(FILE))
        .extracting(line -> field(line, "stage"), line -> field(line, "elapsed_s"))
        .containsExactly(
            tuple("custom.work.end", "1.5"),
            tuple("custom.work.error", "1.5"),
            tuple("custom.work.error", "1.5"),
            tuple("custom.prepare", "null"));
    assertThat(lines(FILE))
        .extracting(line -> field(line, "error_msg"))
        .containsExactly(
            "null", "TimeoutError: judge took too long", "CancelledError: aborted", "null");
  }

  /** XTuner's uid is a random UUID as an integer. */
  @Test
  void uidOf128BitsKeepsAllItsDigits() throws IOException {
    BigInteger largest = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
    write(end("gsm8k:" + largest, Outcome.OK, null));

    assertThat(lines(FILE).get(0))
        .contains("\"trace_id\":\"gsm8k:340282366920938463463374607431768211455\"")
        .contains("\"uid\":340282366920938463463374607431768211455,\"session_uid\":null,");
  }

  /** A user may set uids of his own, of any text. */
  @Test
  void uidThatIsNoIntegerIsWrittenAsText() throws IOException {
    write(end("gsm8k:a-1", Outcome.OK, null), end("gsm8k:007", Outcome.OK, null));

    assertThat(lines(FILE).get(0)).contains("\"uid\":\"a-1\",\"session_uid\":null,");
    assertThat(lines(FILE).get(1)).contains("\"uid\":\"007\",\"session_uid\":null,");
  }

  @Test
  void stepsThatAreUnknownArePrintedAsNoneInTheBatchId() throws IOException {
    write(
        start(new Coordinates(null, 1L, null, 2L, null, "t", Worker.UNKNOWN, null)),
        start(Coordinates.NONE),
        start(new Coordinates("mine", 1L, null, null, null, "t", Worker.UNKNOWN, null)));

    assertThat(lines(FILE))
        .extracting(line -> field(line, "produce_batch_id"))
        .containsExactly("train_step=1/model_step=none/producer_future_step=2", "null", "mine");
  }

  @Test
  void errorTextIsCutTo500Characters() throws IOException {
    write(end("t:1", Outcome.ERROR, "数".repeat(500)), end("t:1", Outcome.ERROR, "😀".repeat(501)));

    assertThat(field(lines(FILE).get(0), "error_msg")).isEqualTo("数".repeat(500));
    assertThat(field(lines(FILE).get(1), "error_msg")).isEqualTo("😀".repeat(497) + "...");
  }

  @Test
  void shardEndsBeforeTheLineThatWouldTakeItOverItsSize() throws IOException {
    write(end("t:1", Outcome.OK, null));
    int lineBytes = (int) Files.size(folder.resolve(FILE));
    Files.delete(folder.resolve(FILE));

    try (XTunerWriter writer = new XTunerWriter(folder, 4242, 2, 2L * lineBytes)) {
      for (int i = 0; i < 5; i++) {
        writer.write(end("t:1", Outcome.OK, null));
      }
    }

    assertThat(fileNames())
        .containsExactly(
            "producer_trace_4242_0002_000000.jsonl",
            "producer_trace_4242_0002_000001.jsonl",
            "producer_trace_4242_0002_000002.jsonl");
    assertThat(lines("producer_trace_4242_0002_000000.jsonl")).hasSize(2);
    assertThat(lines("producer_trace_4242_0002_000002.jsonl")).hasSize(1);
  }

  @Test
  void lineLargerThanAShardGetsAShardOfItsOwn() throws IOException {
    try (XTunerWriter writer = new XTunerWriter(folder, 4242, 1, 1)) {
      writer.write(end("t:1", Outcome.OK, null));
      writer.write(end("t:2", Outcome.OK, null));
    }

    assertThat(fileNames()).hasSize(2);
  }

  @Test
  void flushedLinesAreVisibleWhileTheFileIsOpen() throws IOException {
    try (XTunerWriter writer = new XTunerWriter(folder, 4242)) {
      writer.write(start(SOMEWHERE));
      writer.flush();

      assertThat(lines(FILE)).hasSize(1);
    }
  }

  @Test
  void restartedProcessAppends() throws IOException {
    write(start(SOMEWHERE));
    write(start(SOMEWHERE));

    assertThat(lines(FILE)).hasSize(2);
  }

  @Test
  void processThatWritesNothingLeavesNoFile() throws IOException {
    write();

    assertThat(fileNames()).isEmpty();
  }

  @Test
  void refusesWhatTheFormatCannotSay() {
    assertThatThrownBy(() -> write(end("nocolon", Outcome.OK, null)))
        .hasMessage("session: nocolon (expected: task_name:uid)");
    assertThatThrownBy(() -> write(end("t:1", Outcome.LOST, null)))
        .hasMessage("outcome: LOST (expected: one of a span that has ended)");
    assertThatThrownBy(() -> new XTunerWriter(folder, 1, 0, 1).close())
        .hasMessage("sequence: 0 (expected: >= 1)");
    assertThatThrownBy(() -> new XTunerWriter(folder, 1, 1, 0).close())
        .hasMessage("shardBytes: 0 (expected: >= 1)");
  }

  private void write(Event... events) throws IOException {
    try (XTunerWriter writer = new XTunerWriter(folder, 4242)) {
      for (Event event : events) {
        writer.write(event);
      }
    }
  }

  private static Event start(Coordinates at) {
    return new Event.Start("t:1", "custom.work", 1_780_000_000_000_000_000L, at);
  }

  private static Event end(String session, Outcome outcome, String error) {
    return new Event.End(
        session,
        "custom.work",
        1_780_000_000_000_000_000L,
        SOMEWHERE,
        1_500_000_000L,
        outcome,
        error,
        Map.of());
  }

  private static void appendSameValues(XTunerWriter writer, JsonNode fields) throws IOException {
    String stage = fields.get("stage").textValue();
    int dot = stage.lastIndexOf('.');
    JsonNode elapsed = fields.get("elapsed_s");
    writer.append(
        fields.get("trace_id").textValue(),
        stage.substring(0, dot),
        stage.substring(dot),
        fields.get("timestamp_s").doubleValue(),
        coordinates(fields),
        elapsed.isNull() ? Double.NaN : elapsed.doubleValue(),
        fields.get("error_msg").textValue());
  }

  private static Coordinates coordinates(JsonNode fields) {
    JsonNode rank = fields.get("worker_rank");
    return new Coordinates(
        null,
        fields.get("train_step").longValue(),
        fields.get("model_step").longValue(),
        fields.get("producer_future_step").longValue(),
        null,
        fields.get("task_name").textValue(),
        new Worker(null, rank.isNull() ? null : rank.longValue()),
        fields.get("status").textValue());
  }

  private static String field(String line, String name) {
    try {
      return new ObjectMapper().readTree(line).get(name).asText();
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  private static List<String> sampleLines() throws IOException {
    try (InputStream in = XTunerWriterTest.class.getResourceAsStream("writer-sample.jsonl")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(folder.resolve(file));
  }

  private List<String> fileNames() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
