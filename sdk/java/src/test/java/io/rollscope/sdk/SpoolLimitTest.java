package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.spool.PieceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that stays on for days. */
class SpoolLimitTest {
  private static final long LIMIT = 1 << 20;
  private static final String DELETED =
      "the oldest pieces are deleted to stay below the limit of 1048576 bytes";

  @TempDir private Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();

  private SpoolTransport spool(String process, boolean gzip, long maxBytes, long pieceBytes) {
    return new SpoolTransport(
        new PieceWriter.Setup(
            folder, process, gzip, maxBytes, pieceBytes, SpoolTransport.PIECE_AGE),
        new Warnings(told::add));
  }

  /** A request with one span of about that size. */
  private static byte[] request(String name, int size) {
    StringBuilder text = new StringBuilder("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[");
    text.append("{\"name\":\"").append(name);
    java.util.concurrent.ThreadLocalRandom.current()
        .ints(size, 'a', 'z' + 1)
        .forEach(text::appendCodePoint);
    text.append("\",\"endTimeUnixNano\":\"1\"}]}]}]}");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private List<Path> pieces() throws IOException {
    return Pieces.in(folder).stream()
        .filter(f -> f.getFileName().toString().startsWith("rollscope-"))
        .filter(f -> f.getFileName().toString().contains(".jsonl"))
        .toList();
  }

  private long bytes() throws IOException {
    long sum = 0;
    for (Path piece : pieces()) {
      sum += Files.size(piece);
    }
    return sum;
  }

  private long spans() throws IOException {
    long sum = 0;
    for (Path piece : pieces()) {
      sum += Pieces.lines(piece).stream().filter(l -> l.contains("endTimeUnixNano")).count();
    }
    return sum;
  }

  /** Three processes write several times what may be there. */
  @Test
  void processesShareTheLimitAndCountWhatTheyDelete() throws Exception {
    Files.writeString(folder.resolve("rollscope-notes.txt"), "mine");
    Files.write(folder.resolve("other-000000.jsonl"), new byte[2_000_000]);
    ExecutorService processes = Executors.newFixedThreadPool(3);
    List<SpoolTransport> spools = new ArrayList<>();
    List<Future<?>> done = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SpoolTransport spool = spool("host-" + i, true, LIMIT, 40_000);
      spools.add(spool);
      done.add(
          processes.submit(
              () -> {
                for (int n = 0; n < 1_000; n++) {
                  spool.send(Signal.TRACES, request("p", 2_000));
                }
                return null;
              }));
    }
    for (Future<?> one : done) {
      one.get();
    }
    processes.shutdown();
    Deleted deleted = Deleted.NOTHING;
    for (SpoolTransport spool : spools) {
      spool.close();
      deleted = deleted.plus(spool.deleted());
    }
    assertThat(bytes()).isBetween(LIMIT / 2, LIMIT);
    assertThat(deleted.pieces()).isGreaterThan(10);
    assertThat(deleted.spans() + spans()).isEqualTo(3_000);
    assertThat(told).hasSize(3).allMatch(t -> t.endsWith(DELETED));
    assertThat(folder.resolve("rollscope-notes.txt")).exists();
    assertThat(folder.resolve("other-000000.jsonl")).hasSize(2_000_000);
  }

  @Test
  void piecesOfAKilledProcessGoTooButNotWhatIsBeingWritten() throws Exception {
    for (String other : List.of("dead", "alive")) {
      try (SpoolTransport spool = spool(other, true, 0, SpoolTransport.PIECE_BYTES)) {
        for (int i = 0; i < 5; i++) {
          spool.send(Signal.TRACES, request(other, 10));
        }
      }
    }
    Path dead = folder.resolve("rollscope-dead-000000.jsonl.gz");
    byte[] whole = Files.readAllBytes(dead);
    Files.write(dead, java.util.Arrays.copyOf(whole, whole.length - 3));
    Files.setLastModifiedTime(dead, FileTime.from(Instant.now().minusSeconds(3_600)));
    SpoolTransport mine = spool("mine", false, LIMIT, 1 << 18);
    for (int i = 0; i < 2_000; i++) {
      mine.send(Signal.TRACES, request("mine", 1_000));
    }
    mine.close();
    assertThat(dead).doesNotExist();
    assertThat(folder.resolve("rollscope-alive-000000.jsonl.gz")).exists();
    assertThat(mine.deleted().spans()).isEqualTo(2_000 + 5 - (spans() - 5));
    assertThat(bytes()).isLessThanOrEqualTo(LIMIT);
  }

  /** A process that was stopped for an hour comes back. */
  @Test
  void processWhosePieceWasDeletedGoesOnInAnother() throws Exception {
    try (SpoolTransport spool = spool("p", false, LIMIT, SpoolTransport.PIECE_BYTES)) {
      spool.send(Signal.TRACES, request("first", 0));
      Files.delete(pieces().get(0));
      spool.send(Signal.TRACES, request("second", 0));
    }
    assertThat(pieces())
        .singleElement()
        .satisfies(p -> assertThat(Pieces.lines(p).get(0)).contains("second"))
        .hasToString(folder.resolve("rollscope-p-000001.jsonl").toString());
  }

  @Test
  void oldPieceIsFollowedByANewOne() throws Exception {
    Duration over = Duration.ofNanos(-1);
    try (SpoolTransport spool =
        new SpoolTransport(
            new PieceWriter.Setup(folder, "p", true, 0, 1 << 20, over), new Warnings(told::add))) {
      for (int i = 0; i < 3; i++) {
        spool.send(Signal.TRACES, request("p", 0));
      }
    }
    assertThat(pieces()).hasSize(3);
  }

  @Test
  void standardToolsReadAPieceWhileItIsWritten() throws Exception {
    try (SpoolTransport spool = new SpoolTransport(folder, "p")) {
      for (int i = 1; i <= 3; i++) {
        spool.send(Signal.TRACES, request("p" + i, 0));
        Process zcat = new ProcessBuilder("zcat", pieces().get(0).toString()).start();
        assertThat(zcat.getInputStream().readAllBytes())
            .asString(StandardCharsets.UTF_8)
            .hasLineCount(i)
            .endsWith("\n");
        assertThat(zcat.waitFor()).isZero();
      }
    }
  }

  @Test
  void beatsAndLiveSayWhatWasDeleted() throws Exception {
    SpoolTransport spool = spool("p", false, LIMIT, 1 << 17);
    Rollscope rs =
        Rollscope.builder()
            .environment(Map.of())
            .run("r")
            .quiet(true)
            .pace(Quick.PACE)
            .transport(spool)
            .build();
    for (int i = 0; i < 3_000; i++) {
      rs.phase("p").set("text", "x".repeat(600)).close();
      if (i % 100 == 0) {
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
    }
    rs.close();
    Deleted deleted = spool.deleted();
    assertThat(deleted.pieces()).isGreaterThan(3);
    assertThat(rs.stats().deleted()).isEqualTo(deleted);
    assertThat(rs.dropped().sum()).isZero();
    String last = Pieces.lines(pieces().get(pieces().size() - 1)).stream().reduce("", (a, b) -> b);
    assertThat(last)
        .contains("rollscope.process.end")
        .contains(
            "{\"key\":\"rollscope.deleted.pieces\",\"value\":{\"intValue\":\""
                + deleted.pieces()
                + "\"}},{\"key\":\"rollscope.deleted.spans\",\"value\":{\"intValue\":\""
                + deleted.spans()
                + "\"}}");
    LiveReport live = Pieces.run(folder).live(ReportRequest.of(Scope.ALL));
    assertThat(live.droppedBy())
        .singleElement()
        .satisfies(d -> assertThat(d.deleted()).isEqualTo(deleted.spans()));
  }
}
