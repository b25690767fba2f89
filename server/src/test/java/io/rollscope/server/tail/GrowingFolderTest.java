package io.rollscope.server.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.server.tail.ToldSpans.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders whose files grow, move, vanish and come back while they are followed. */
class GrowingFolderTest {
  @TempDir Path temp;
  private final MemorySink sink = new MemorySink();
  private final Tails tails = new Tails(sink);
  private Path folder;
  private Path file;
  private FolderTail tail;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectories(temp.resolve("exp7/producer_trace"));
    file = folder.resolve("producer_trace_1_0001_000000.jsonl");
    tail = tails.follow(folder);
  }

  @Test
  void aSpanIsToldWhenItOpensAndWhenItClosesUnderOneId() throws Exception {
    append(file, event("a:1", "judge.start", 10));
    tail.poll();
    Told open = only();
    assertThat(open.isOpen()).isTrue();
    assertThat(open.resourceAttribute("rollscope.run.default")).isEqualTo("exp7");
    assertThat(open.resourceAttribute("rollscope.source")).isEqualTo("xtuner");
    assertThat(open.resourceAttribute("rl.run.id")).isNull();

    append(file, event("a:1", "judge.end", 12.5));
    tail.poll();
    Told closed = only();
    assertThat(closed.span().getEndTimeUnixNano() - closed.span().getStartTimeUnixNano())
        .isEqualTo(2_500_000_000L);
    assertThat(ToldSpans.id(closed.span())).isEqualTo(ToldSpans.id(open.span()));
    assertThat(closed.attribute("rl.session.id")).isEqualTo("a:1");
    assertThat(closed.attribute("rl.train_step")).isEqualTo("3");
  }

  @Test
  void nothingIsToldWhileNothingHappens() throws Exception {
    append(file, event("a:1", "judge.start", 10));
    tail.poll();
    tail.poll();
    tail.poll();

    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void halfALineWaitsForItsRest() throws Exception {
    String line = event("a:1", "judge.start", 10);
    append(file, event("a:2", "judge.start", 9) + line.substring(0, 40));
    tail.poll();
    assertThat(told().byId()).hasSize(1);
    assertThat(tail.numbers().lagBytes()).isEqualTo(40);

    append(file, line.substring(40));
    tail.poll();
    assertThat(told().byId()).hasSize(2);
    assertThat(tail.numbers().lagBytes()).isZero();
    assertThat(sink.offsets().values()).containsExactly(Files.size(file));
  }

  @Test
  void anErrorKeepsItsTypeAndMessage() throws Exception {
    append(
        file,
        event("a:1", "judge.start", 10),
        "{\"trace_id\":\"a:1\",\"stage\":\"judge.error\",\"timestamp_s\":1780000011,\"status\":\"failed\","
            + "\"worker_rank\":5,\"elapsed_s\":0.75,\"error_msg\":\"TimeoutError: too long\"}\n");
    tail.poll();

    Told span = only();
    assertThat(span.span().getStatus().getCodeValue()).isEqualTo(2);
    assertThat(span.attribute("error.type")).isEqualTo("TimeoutError");
    assertThat(span.attribute("error.message")).isEqualTo("too long");
    assertThat(span.attribute("xtuner.status")).isEqualTo("failed");
    assertThat(span.attribute("rl.worker.rank")).isEqualTo("5");
    assertThat(span.attribute("elapsed_s")).isEqualTo("0.75");
  }

  @Test
  void anEndFindsItsStartInAnotherFile() throws Exception {
    append(file, event("a:1", "judge.start", 10));
    tail.poll();
    append(folder.resolve("producer_trace_2_0001_000000.jsonl"), event("a:1", "judge.end", 11));
    tail.poll();

    assertThat(only().isOpen()).isFalse();
    assertThat(sink.offsets()).hasSize(2);
  }

  @Test
  void anEndThatIsReadLateChangesWhatWasToldAndIsCounted() throws Exception {
    Path other = folder.resolve("producer_trace_2_0001_000000.jsonl");
    append(file, event("a:1", "judge.start", 1), event("a:1", "judge.start", 2));
    append(file, event("a:1", "judge.end", 4));
    tail.poll();
    append(other, event("a:1", "judge.end", 3));
    tail.poll();

    // The second start ended at 3, not at 4: an end always closes the newest start before it.
    assertThat(told().open()).isZero();
    assertThat(tail.numbers().retold()).isEqualTo(1);
  }

  @Test
  void aPointBelongsToTheSpanAroundItOrStandsAlone() throws Exception {
    append(file, event("a:1", "dequeued", 9), event("a:1", "judge.start", 10));
    append(file, event("a:1", "retry", 11));
    tail.poll();
    append(file, event("a:1", "judge.end", 12));
    tail.poll();

    assertThat(told().byId().values())
        .extracting(t -> t.span().getName())
        .containsExactlyInAnyOrder("dequeued", "judge");
    Told alone = named("dequeued");
    assertThat(alone.attribute("rollscope.point")).isEqualTo("true");
    assertThat(alone.span().getEndTimeUnixNano()).isEqualTo(alone.span().getStartTimeUnixNano());
    assertThat(named("judge").span().getEvents(0).getName()).isEqualTo("retry");
  }

  @Test
  void aRotatedFileKeepsItsPlace() throws Exception {
    append(file, event("a:1", "judge.start", 10));
    tail.poll();
    Path rotated = folder.resolve("producer_trace_1_0001_000000.jsonl.1");
    append(file, event("a:1", "judge.end", 11));
    Files.move(file, rotated);
    append(file, event("a:2", "judge.start", 12));
    tail.poll();

    assertThat(told().byId()).hasSize(2);
    assertThat(told().open()).isEqualTo(1);
    assertThat(sink.offsets().values())
        .containsExactlyInAnyOrder(Files.size(file), Files.size(rotated));
    assertThat(told().messages()).isEqualTo(3);
  }

  @Test
  void afterARestartOnlyWhatIsOpenAndWhatIsNewIsTold() throws Exception {
    append(file, event("a:1", "judge.start", 10), event("a:1", "judge.end", 11));
    append(file, event("a:2", "judge.start", 12));
    tail.poll();
    int before = sink.taken().size();

    append(file, event("a:3", "judge.start", 13));
    tails.follow(folder).poll();

    ToldSpans again = ToldSpans.of(sink.taken().subList(before, sink.taken().size()));
    assertThat(again.byId().values())
        .extracting(t -> t.attribute("rl.session.id"))
        .containsExactlyInAnyOrder("a:2", "a:3");
    assertThat(told().byId()).hasSize(3);
  }

  @Test
  void aRewrittenFileIsToldAgain() throws Exception {
    append(file, event("a:1", "judge.start", 10), event("a:1", "judge.end", 11));
    append(file, event("a:2", "judge.start", 12));
    tail.poll();

    Files.writeString(file, event("a:1", "judge.start", 10) + event("a:9", "judge.start", 20));
    tail.poll();

    assertThat(told().byId().values())
        .extracting(t -> t.attribute("rl.session.id"))
        .containsExactlyInAnyOrder("a:1", "a:2", "a:9");
    append(file, event("a:9", "judge.end", 21));
    tails.follow(folder).poll();
    assertThat(told().open()).isEqualTo(1);
  }

  @Test
  void aFileThatWasRewrittenLongerWithTheSameFirstLineIsToldAgain() throws Exception {
    append(file, event("a:1", "judge.start", 10), event("a:2", "judge.start", 12));
    tail.poll();

    Files.writeString(
        file,
        event("a:1", "judge.start", 10)
            + event("a:7", "judge.start", 12)
            + event("a:8", "judge.start", 12));
    tail.poll();

    assertThat(told().byId()).hasSize(4);
    assertThat(sink.offsets()).hasSize(2);
  }

  @Test
  void theOtherFilesOfAFolderAreNotToldAgainWhenOneVanishes() throws Exception {
    Path other = folder.resolve("producer_trace_2_0001_000000.jsonl");
    append(file, event("a:1", "judge.start", 10), event("a:1", "judge.end", 11));
    append(other, event("a:2", "judge.start", 10), event("a:2", "judge.end", 11));
    tail.poll();

    Files.delete(other);
    append(file, event("a:3", "judge.start", 12));
    tail.poll();

    assertThat(told().messages()).isEqualTo(3);
    assertThat(told().closedAgain()).isZero();
  }

  @Test
  void aFolderThatIsNotThereYetIsWaitedForAndSaidOnce() throws Exception {
    Path later = temp.resolve("later");
    FolderTail waiting = tails.follow(later);
    waiting.poll();
    waiting.poll();
    assertThat(tails.said)
        .containsExactly("watch: " + later + " (expected: a folder; waiting until it is there)");
    assertThat(waiting.numbers().lastError()).isEqualTo(tails.said.get(0));

    Files.createDirectories(later);
    append(later.resolve("producer_trace_1_0001_000000.jsonl"), event("a:1", "x.start", 1));
    waiting.poll();
    assertThat(told().byId()).hasSize(1);
    assertThat(waiting.numbers().lastError()).isNull();
    assertThat(tails.said).hasSize(1);
  }

  @Test
  void aFolderThatVanishesAndComesBackIsNotToldAgain() throws Exception {
    append(file, event("a:1", "judge.start", 10), event("a:1", "judge.end", 11));
    tail.poll();
    Path away = temp.resolve("away");
    Files.move(folder, away);
    tail.poll();
    Files.move(away, folder);
    append(file, event("a:2", "judge.start", 12));
    tail.poll();

    assertThat(told().messages()).isEqualTo(2);
  }

  @Test
  void badLinesAreCountedWithExamples() throws Exception {
    append(file, event("a:1", "judge.start", 10), "{\"trace_id\":3,\n", "\n");
    append(file, event("a:2", "judge.start", 10));
    tail.poll();

    TailNumbers numbers = tail.numbers();
    assertThat(numbers.skippedLines()).isEqualTo(1);
    assertThat(numbers.examples().get(0).line()).isEqualTo(2);
    assertThat(numbers.spans()).isEqualTo(2);
    assertThat(numbers.files()).isEqualTo(1);
    assertThat(numbers.bytesRead()).isEqualTo(Files.size(file));
  }

  @Test
  void requestsAreOfASensibleSize() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12_000; i++) {
      lines.append(event("a:" + i, "judge.start", 10));
    }
    append(file, lines.toString());
    tail.poll();

    assertThat(told().byId()).hasSize(12_000);
    assertThat(sink.taken())
        .allSatisfy(
            r -> {
              assertThat(r.bytes().length).isLessThan(1_100_000);
              assertThat(r.request().spans().size()).isBetween(1, 5_000);
            });
    assertThat(sink.offsets().values()).containsExactly(Files.size(file));
  }

  @Test
  void aFolderTooLargeForTheMemoryIsGivenUpWithOneLine() throws Exception {
    FolderTail small = tails.follow(new WatchedFolder(folder, null, null), 1000);
    append(file, event("a:1", "judge.start", 10));
    small.poll();
    small.poll();

    assertThat(tails.said).hasSize(1);
    assertThat(tails.said.get(0)).contains("MB of memory").endsWith("no longer followed");
  }

  private ToldSpans told() {
    return ToldSpans.of(sink.taken());
  }

  private Told only() {
    assertThat(told().byId()).hasSize(1);
    return told().byId().values().iterator().next();
  }

  private Told named(String name) {
    return told().byId().values().stream()
        .filter(t -> t.span().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static void append(Path file, String... lines) throws IOException {
    Files.write(
        file,
        String.join("", List.of(lines)).getBytes(UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  static String event(String trace, String stage, double time) {
    return String.format(
        Locale.ROOT,
        "{\"trace_id\":\"%s\",\"stage\":\"%s\",\"timestamp_s\":%s,\"train_step\":3}%n",
        trace,
        stage,
        1_780_000_000 + time);
  }
}
