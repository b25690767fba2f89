package io.rollscope.server.tail;

import static io.rollscope.server.tail.GrowingFolderTest.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OTLP-JSON lines are passed on as they are. */
class RequestLinesTest {
  @TempDir Path temp;
  private final MemorySink sink = new MemorySink();
  private final Tails tails = new Tails(sink);
  private Path folder;
  private Path file;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectories(temp.resolve("exp9"));
    file = folder.resolve("traces.jsonl");
  }

  @Test
  void aServerKnowsOfXTunersMainBranchWhatTheFolderSays() throws Exception {
    tails.follow(Tails.sample("xtuner/main-otlp")).poll();
    FolderReader reader = read(Tails.sample("xtuner/main-otlp/traces.jsonl"));

    ToldSpans told = ToldSpans.of(sink.taken());
    told.byId()
        .values()
        .forEach(
            t -> {
              assertThat(t.resourceAttribute("service.name")).isNotNull();
              assertThat(t.resourceAttribute("rollscope.run.default")).isNull();
              assertThat(t.resourceAttribute("rollscope.source")).isEqualTo("otlp");
            });
    HotspotsReport expected = hotspots(reader.runs().newest().table());
    HotspotsReport actual = hotspots(told.readBack(temp.resolve("back.jsonl")).table());
    assertThat(actual.spanCount()).isEqualTo(expected.spanCount());
    assertThat(actual.sessionCount()).isEqualTo(expected.sessionCount());
    assertThat(actual.stageStats()).isEqualTo(expected.stageStats());
    assertThat(sink.offsets().values())
        .containsExactly(Files.size(Tails.sample("xtuner/main-otlp/traces.jsonl")));
  }

  /**
   * Spans of a client that names no run were of the folder's in one place, of its service's here.
   */
  @Test
  void linesThatNameNoRunAreOfTheirServiceInAFolderAndOnAServer() throws Exception {
    String named =
        line(1, "\"kind\":1")
            .replace(
                "\"resource\":{}",
                "\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":"
                    + "{\"stringValue\":\"agent\"}}]}");
    append(file, named);
    tails.follow(folder).poll();

    assertThat(read(folder).runs().ids()).containsExactly("agent");
    assertThat(ToldSpans.of(sink.taken()).byId().values())
        .singleElement()
        .satisfies(
            t -> {
              assertThat(t.resourceAttribute("service.name")).isEqualTo("agent");
              assertThat(t.resourceAttribute("rollscope.run.default")).isNull();
            });
  }

  @Test
  void everyAttributeIsKept() throws Exception {
    append(file, line(1, "\"attributes\":[{\"key\":\"x\",\"value\":{\"intValue\":\"7\"}}]"));
    tails.follow(folder).poll();

    assertThat(ToldSpans.of(sink.taken()).byId().values())
        .singleElement()
        .satisfies(t -> assertThat(t.attribute("x")).isEqualTo("7"));
  }

  @Test
  void halfLinesWaitAndBadOnesAreCounted() throws Exception {
    FolderTail tail = tails.follow(folder);
    String second = line(2, "\"kind\":1");
    append(file, line(1, "\"kind\":1"), "{\"resourceSpans\":[{]}\n", "{\"else\":1}\n");
    append(file, second.substring(0, 50));
    tail.poll();
    assertThat(spans()).isEqualTo(1);
    assertThat(tail.numbers().skippedLines()).isEqualTo(2);
    assertThat(tail.numbers().examples()).extracting(e -> e.line()).containsExactly(2L, 3L);

    append(file, second.substring(50));
    tail.poll();
    assertThat(spans()).isEqualTo(2);
    assertThat(sink.offsets().values()).containsExactly(Files.size(file));
    assertThat(tail.numbers().lagBytes()).isZero();
  }

  @Test
  void rotationAndRestartTellNothingTwice() throws Exception {
    append(file, line(1, "\"kind\":1"), line(2, "\"kind\":1"));
    tails.follow(folder).poll();
    append(file, line(3, "\"kind\":1"));
    Files.move(file, folder.resolve("traces-2026-01-01T00-00-00.jsonl"));
    append(file, line(4, "\"kind\":1"));
    tails.follow(folder).poll();

    ToldSpans told = ToldSpans.of(sink.taken());
    assertThat(told.byId()).hasSize(4);
    assertThat(told.messages()).isEqualTo(4);
  }

  /** Pieces of an SDK, which grow frame by frame; the oldest are deleted meanwhile. */
  @Test
  void compressedPiecesAreToldOnceAcrossRestartsAndDeletions() throws Exception {
    Path first = folder.resolve("rollscope-gpu-1-7-aaaaaaaa-000000.jsonl.gz");
    Path second = folder.resolve("rollscope-gpu-1-7-aaaaaaaa-000001.jsonl.gz");
    FolderTail tail = tails.follow(folder);
    for (int i = 1; i <= 4; i++) {
      appendPacked(first, line(i, "\"kind\":1"));
      tail.poll();
      assertThat(spans()).isEqualTo(i);
      assertThat(tail.numbers().lagBytes()).isZero();
    }
    tail = tails.follow(folder); // The server was started again.
    appendPacked(second, line(5, "\"kind\":1"));
    tail.poll();
    Files.delete(first);
    appendPacked(second, line(6, "\"kind\":1"));
    tail.poll();

    assertThat(tail.numbers().lastError()).isNull();
    assertThat(tail.numbers().skippedLines()).isZero();
    ToldSpans told = ToldSpans.of(sink.taken());
    assertThat(told.byId()).hasSize(6);
    assertThat(told.messages()).isEqualTo(6);

    // Somebody compresses what was plain: told again under the same ids.
    append(file, line(7, "\"kind\":1"));
    tail.poll();
    appendPacked(folder.resolve("traces.jsonl.gz"), line(7, "\"kind\":1"));
    tail.poll();
    Files.delete(file);
    tail.poll();
    assertThat(spans()).isEqualTo(7);
  }

  private static void appendPacked(Path file, String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file, packed.toByteArray(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void startRecordsInALineArePassedOnAsLogs() throws Exception {
    append(
        file,
        line(1, "\"kind\":1"),
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"eventName\":\"rollscope.span.start\","
            + "\"timeUnixNano\":\"1780000000000000000\",\"traceId\":\"0000000000000000000000000000000a\","
            + "\"spanId\":\"000000000000000b\",\"attributes\":[{\"key\":\"rollscope.span.name\","
            + "\"value\":{\"stringValue\":\"judge\"}}]}]}]}]}\n");
    tails.follow(folder).poll();

    assertThat(sink.taken())
        .extracting(Incoming::signal)
        .containsExactly(Signal.TRACES, Signal.LOGS);
    assertThat(sink.taken().get(1).request().spans())
        .singleElement()
        .satisfies(
            s -> {
              assertThat(s.isOpen()).isTrue();
              assertThat(s.origin().runFallback()).isEqualTo("exp9");
            });
  }

  @Test
  void whatTheDecoderRefusesIsCountedByReason() throws Exception {
    append(file, line(1, "\"kind\":1"), line(2, "\"kind\":1").replace("\"1780", "\"9180"));
    FolderTail tail = tails.follow(folder);
    tail.poll();

    assertThat(tail.numbers().refused().values()).containsExactly(1L);
    assertThat(sink.offsets().values()).containsExactly(Files.size(file));
  }

  private long spans() {
    return ToldSpans.of(sink.taken()).byId().size();
  }

  private static FolderReader read(Path source) throws IOException {
    FolderReader reader =
        new FolderReader(new SourcePath(source.toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    return reader;
  }

  private static HotspotsReport hotspots(SpanTable table) {
    return HotspotsView.of(
        table,
        Scope.ALL,
        new ReportContext("source", "run", new ReportContext.SkippedLines(0, List.of())));
  }

  static String line(int number, String more) {
    return String.format(
        Locale.ROOT,
        "{\"resourceSpans\":[{\"resource\":{},\"scopeSpans\":[{\"spans\":[{\"traceId\":\"%032x\","
            + "\"spanId\":\"%016x\",\"name\":\"judge\",\"startTimeUnixNano\":\"1780000000000000000\","
            + "\"endTimeUnixNano\":\"1780000001000000000\",%s}]}]}]}%n",
        number,
        number,
        more);
  }
}
