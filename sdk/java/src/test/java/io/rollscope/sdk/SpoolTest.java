package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.spool.PieceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files instead of a port. */
class SpoolTest {
  @TempDir private Path temp;

  private Path spool() {
    return temp.resolve("spool").resolve("deep");
  }

  private RollscopeBuilder builder() {
    return Rollscope.builder()
        .environment(Map.of("ROLLSCOPE_SPOOL", spool().toString()))
        .run("r")
        .hostMetrics(false);
  }

  private List<Path> files() throws IOException {
    return Pieces.in(spool());
  }

  private List<Request> requests() throws Exception {
    List<Request> all = new ArrayList<>();
    for (Path file : files()) {
      for (String line : Pieces.lines(file)) {
        io.rollscope.otlp.Signal signal =
            line.startsWith("{\"resourceSpans\"")
                ? io.rollscope.otlp.Signal.TRACES
                : line.startsWith("{\"resourceLogs\"")
                    ? io.rollscope.otlp.Signal.LOGS
                    : io.rollscope.otlp.Signal.METRICS;
        byte[] protobuf =
            JsonRequests.lineToProtobuf(signal, line.getBytes(StandardCharsets.UTF_8));
        all.add(RequestDecoder.decode(signal, protobuf, 0, System.currentTimeMillis() * 1_000_000));
      }
    }
    return all;
  }

  @Test
  void everyLineIsARequest() throws Exception {
    try (Rollscope rs = builder().build();
        Session session = rs.session("s-1")) {
      rs.phase("generate").set("text", "a \"quoted\"\nline").close();
      rs.gauge("loss").set(0.5, 7);
      rs.counter("tokens").add(3);
      rs.flush(Quick.PATIENCE);
      assertThat(files())
          .singleElement()
          .satisfies(
              f ->
                  assertThat(spool().relativize(f).toString())
                      .matches(
                          "r-\\d{8}T\\d{6}/rollscope-.+-"
                              + ProcessHandle.current().pid()
                              + "-[0-9a-f]{8}-000000\\.jsonl\\.gz"));
    }
    List<Request> requests = requests();
    assertThat(requests).allSatisfy(r -> assertThat(r.rejected()).isEmpty());
    assertThat(requests.stream().flatMap(r -> r.spans().stream()).map(s -> s.name()))
        .contains("session", "generate");
    assertThat(requests.stream().flatMap(r -> r.points().stream()).map(p -> p.name()))
        .containsExactly("loss", "tokens");
    assertThat(requests.stream().flatMap(r -> r.signs().stream()).anyMatch(s -> s.end())).isTrue();
  }

  @Test
  void serverThatWatchesTheFolderSeesItGrow() throws Exception {
    Files.createDirectories(spool());
    try (TestServer server = TestServer.watching(temp.resolve("data"), spool());
        Rollscope rs = builder().build()) {
      try (Session session = rs.session("s-1")) {
        rs.phase("first").close();
        rs.flush(Quick.PATIENCE);
        Phase open = rs.phase("generate");
        Waiting.untilEquals(
            List.of("first|ok", "generate|open", "session|open"),
            () -> server.sql("select name, outcome from spans where run = 'r' order by name"));
        open.close();
      }
      Session late = rs.session("s-2");
      late.close();
      rs.flush(Quick.PATIENCE);
      late.rejected("filtered");
      Waiting.untilEquals(
          List.of("s-1|completed|-", "s-2|rejected|filtered"),
          () -> server.sql("select session, status, reason from sessions order by session"));
    }
  }

  @Test
  void fullFileIsFollowedByANewOne() throws Exception {
    try (Rollscope rs =
        Rollscope.builder()
            .environment(Map.of())
            .run("r")
            .pace(Quick.PACE)
            .transport(
                new SpoolTransport(
                    new PieceWriter.Setup(
                        spool(), "host/1 x", false, 0, 20_000, SpoolTransport.PIECE_AGE),
                    new Warnings(text -> {})))
            .build()) {
      for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 20; j++) {
          rs.phase("p").set("i", i).close();
        }
        rs.flush(Quick.PATIENCE);
      }
    }
    assertThat(files().size()).isGreaterThan(2);
    assertThat(files().get(0).getFileName()).hasToString("rollscope-host_1_x-000000.jsonl");
    for (Path file : files()) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(20_000);
    }
    assertThat(
            requests().stream()
                .mapToInt(r -> (int) r.spans().stream().filter(s -> !s.isOpen()).count())
                .sum())
        .isEqualTo(200);
  }

  /** A launcher starts the processes of a job; one of them starts a child of its own. */
  @Test
  void processesOfAStartWriteToOneFolder() throws Exception {
    Map<String, String> job =
        Map.of(
            "ROLLSCOPE_SPOOL", spool().toString(), "SLURM_JOB_ID", "47[1]", "ROLLSCOPE_RUN", "r");
    Map<String, String> child;
    try (Rollscope rs = Rollscope.builder().environment(job).build()) {
      rs.phase("parent").close();
      child = rs.environment();
    }
    try (Rollscope rs = Rollscope.builder().environment(child).build()) {
      rs.phase("child").close();
    }
    assertThat(files())
        .hasSize(2)
        .allSatisfy(f -> assertThat(f.getParent()).isEqualTo(spool().resolve("r-47_1_")));
    assertThat(requests().stream().flatMap(r -> r.spans().stream()).map(s -> s.name()))
        .containsExactlyInAnyOrder("parent", "child");
  }

  @Test
  void childrenWriteInTheSameWay() {
    try (Rollscope rs = builder().spoolCompress("none").spoolMaxBytes(20L << 30).build()) {
      assertThat(rs.environment())
          .containsEntry("ROLLSCOPE_SPOOL", spool().toString())
          .containsEntry("ROLLSCOPE_SPOOL_COMPRESS", "none")
          .containsEntry("ROLLSCOPE_SPOOL_MAX_BYTES", "21474836480")
          .containsKey("ROLLSCOPE_SPOOL_START");
    }
  }

  /** What kill -9 and a power failure leave. */
  @Test
  void pieceCutAtAnyByteIsReadAsFarAsItGoes() throws Exception {
    try (Rollscope rs = builder().build()) {
      for (int i = 0; i < 6; i++) {
        rs.session("s-" + i).close();
        assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      }
    }
    byte[] whole = Files.readAllBytes(files().get(0));
    List<Integer> sessions = new ArrayList<>();
    for (int part = 1; part <= 12; part++) {
      Path cut =
          Files.createDirectory(temp.resolve("cut" + part)).resolve(files().get(0).getFileName());
      Files.write(cut, Arrays.copyOf(whole, whole.length * part / 12));
      sessions.add(Pieces.sessions(cut.getParent()));
    }
    assertThat(sessions).isSorted().endsWith(6);
    assertThat(new HashSet<>(sessions)).hasSizeGreaterThan(4);
  }

  @Test
  void whatWasFlushedBeforeAKillIsThere() throws Exception {
    Path printed = temp.resolve("printed");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Endless.class.getName(),
                spool().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(printed.toFile())
            .start();
    try {
      Waiting.until(() -> Files.readAllLines(printed).size() > 20);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).isEqualTo(128 + 9);
    String whole = Files.readString(printed);
    List<String> lines = whole.substring(0, whole.lastIndexOf('\n')).lines().toList();
    int flushed = Integer.parseInt(lines.get(lines.size() - 1));
    assertThat(Pieces.sessions(spool())).isBetween(flushed, flushed + Endless.AT_ONCE);
  }

  /** A program that records and flushes until it is killed. */
  static final class Endless {
    static final int AT_ONCE = 50;

    private Endless() {}

    public static void main(String[] folder) {
      Rollscope rs = Rollscope.builder().spool(Path.of(folder[0])).run("r").build();
      for (int n = 0; ; ) {
        for (int i = 0; i < AT_ONCE; i++) {
          rs.session("s" + n++).close();
        }
        if (!rs.flush(Quick.PATIENCE)) {
          throw new IllegalStateException("flush");
        }
        System.out.println(n);
      }
    }
  }

  /** Another job made a file of the name of the folder. */
  @Test
  void folderThatCannotBeMadeHurtsNobody() throws Exception {
    Files.writeString(temp.resolve("spool"), "a file");
    List<String> told = new ArrayList<>();
    Rollscope rs =
        builder()
            .warnings(new Warnings(told::add))
            .pace(Quick.PACE)
            .deadline(java.time.Duration.ofMillis(200))
            .build();
    rs.phase("a").close();
    Waiting.until(() -> !told.isEmpty());
    assertThat(told.get(0)).contains("spool").contains("trying again");
    rs.close();
    assertThat(rs.dropped().spans()).isEqualTo(1);
  }
}
