package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files instead of a port. */
class SpoolTest {
  @TempDir private Path temp;

  private Path spool() {
    return temp.resolve("spool").resolve("deep");
  }

  private RollscopeBuilder builder() {
    return Rollscope.builder().environment(Map.of("ROLLSCOPE_SPOOL", spool().toString())).run("r");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(spool())) {
      return all.sorted().toList();
    }
  }

  private List<Request> requests() throws Exception {
    List<Request> all = new ArrayList<>();
    for (Path file : files()) {
      for (String line : Files.readAllLines(file)) {
        io.rollscope.otlp.Signal signal =
            line.startsWith("{\"resourceSpans\"")
                ? io.rollscope.otlp.Signal.TRACES
                : line.startsWith("{\"resourceLogs\"")
                    ? io.rollscope.otlp.Signal.LOGS
                    : io.rollscope.otlp.Signal.METRICS;
        byte[] protobuf =
            JsonRequests.lineToProtobuf(
                signal, line.getBytes(java.nio.charset.StandardCharsets.UTF_8));
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
                  assertThat(f.getFileName().toString())
                      .matches(
                          "rollscope-.+-"
                              + ProcessHandle.current().pid()
                              + "-[0-9a-f]{8}-0\\.jsonl"));
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
            .transport(new SpoolTransport(spool(), "host/1 x", 20_000))
            .build()) {
      for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 20; j++) {
          rs.phase("p").set("i", i).close();
        }
        rs.flush(Quick.PATIENCE);
      }
    }
    assertThat(files().size()).isGreaterThan(2);
    assertThat(files().get(0).getFileName()).hasToString("rollscope-host_1_x-0.jsonl");
    for (Path file : files()) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(20_000);
    }
    assertThat(
            requests().stream()
                .mapToInt(r -> (int) r.spans().stream().filter(s -> !s.isOpen()).count())
                .sum())
        .isEqualTo(200);
  }

  /** Another job made a file of the name of the folder. */
  @Test
  void folderThatCannotBeMadeHurtsNobody() throws Exception {
    Files.writeString(temp.resolve("spool"), "a file");
    List<String> told = new ArrayList<>();
    Rollscope rs =
        builder()
            .warnings(new io.rollscope.sdk.internal.Warnings(told::add))
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
