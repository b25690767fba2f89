package io.rollscope.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.cli.FakeServer;
import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding and ending servers, with real processes in their place. */
class ServerProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path temp;
  private DataFolder folder;
  private final List<Process> processes = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void prepare() throws IOException {
    folder = new DataFolder(temp.resolve("data"));
    folder.prepare();
  }

  @AfterEach
  void endProcesses() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process shell(String script) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", script).start();
    processes.add(process);
    return process;
  }

  private static ServerState stateOf(long pid, String start, String url) {
    return new ServerState(pid, start, url, url, "127.0.0.1:4317", "0.1.0", null, null);
  }

  private static String startOf(Process process) {
    return ProcessIdentity.of(process.pid()).start();
  }

  @Test
  void theStateFileIsFoundAgain() throws IOException {
    ProcessIdentity self = ProcessIdentity.own();
    ServerState state = stateOf(self.pid(), self.start(), "http://127.0.0.1:1");

    state.write(folder);

    assertThat(ServerState.ofLiving(folder)).contains(state);
    assertThat(folder.path().toFile().list())
        .containsExactlyInAnyOrder("rollscope.data", "server.json");
  }

  @Test
  void stopEndsTheServerAndItsFileGoes() throws IOException, InterruptedException {
    Process server = shell("exec sleep 600");
    stateOf(server.pid(), startOf(server), "http://127.0.0.1:1").write(folder);

    assertThat(new ServerEnd(folder, PATIENCE, notes::add).end()).contains(server.pid());

    assertThat(server.waitFor()).isEqualTo(143);
    assertThat(folder.state()).doesNotExist();
    assertThat(notes).isEmpty();
  }

  /** The server was killed, and its pid is now somebody's editor. */
  @Test
  void aPidUsedAgainIsNeverSignalled() throws IOException {
    Process stranger = shell("exec sleep 600");
    String otherStart = startOf(stranger) + "1";
    stateOf(stranger.pid(), otherStart, "http://127.0.0.1:1").write(folder);

    assertThat(ServerState.ofLiving(folder)).isEmpty();
    assertThat(new ServerEnd(folder, PATIENCE, notes::add).end()).isEmpty();

    assertThat(stranger.isAlive()).isTrue();
    assertThat(folder.state()).doesNotExist();
    assertThat(notes).containsExactly("removed " + folder.state() + ", whose server is gone");
  }

  /** A file of an older version, or one made by hand. */
  @Test
  void withoutAStartTimeNothingIsSignalled() throws IOException {
    Process stranger = shell("exec sleep 600");
    Files.writeString(
        folder.state(),
        "{\"pid\":"
            + stranger.pid()
            + ",\"process_start\":\"\",\"url\":\"http://a\",\"otlp_http\":\"http://b\"}");

    assertThat(new ServerEnd(folder, PATIENCE, notes::add).end()).isEmpty();
    assertThat(stranger.isAlive()).isTrue();
  }

  @Test
  void aServerThatDoesNotCloseIsKilledAndThatIsSaid() throws IOException, InterruptedException {
    Process server = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
    assertThat(server.inputReader().readLine()).isEqualTo("ready");
    stateOf(server.pid(), startOf(server), "http://127.0.0.1:1").write(folder);

    new ServerEnd(folder, Duration.ofMillis(200), notes::add).end();

    assertThat(server.waitFor()).isEqualTo(137);
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0)).contains("pid " + server.pid(), "killed");
  }

  @Test
  void nothingToStopIsNoError() throws IOException {
    assertThat(new ServerEnd(folder, PATIENCE, notes::add).end()).isEmpty();
    Files.writeString(folder.state(), "{ half a fi");
    assertThat(ServerState.read(folder)).isEmpty();
  }

  @Test
  void aFolderWithOtherThingsIsRefused() throws IOException {
    Path home = Files.createDirectory(temp.resolve("home"));
    Files.writeString(home.resolve("thesis.tex"), "");

    assertThatThrownBy(() -> new DataFolder(home).prepare())
        .isInstanceOf(Failure.class)
        .hasMessage(
            "data folder: "
                + home
                + " holds other things (thesis.tex) (expected: a new or empty folder, or one of"
                + " Rollscope's)");
    assertThatThrownBy(() -> new DataFolder(home.resolve("thesis.tex")).prepare())
        .hasMessageContaining("is a file (expected: a folder)");
    assertThatThrownBy(() -> new DataFolder(home.resolve("thesis.tex/below")).prepare())
        .hasMessageContaining("cannot be made (expected: a writable place)");
  }

  @Test
  void aDataFolderIsKnownAgain() throws IOException {
    Files.writeString(folder.path().resolve("notes.txt"), "");

    folder.prepare();

    assertThat(folder.path().resolve("rollscope.data")).exists();
  }

  /** The process that is started writes the state file, as the real one does. */
  @Test
  void aDetachedServerIsWaitedFor() throws IOException {
    try (FakeServer answering = new FakeServer().on("/healthz", "{\"status\":\"ok\"}")) {
      String stat = "$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)";
      String script =
          "boot=$(cat /proc/sys/kernel/random/boot_id); echo \"{\\\"pid\\\":$$,"
              + "\\\"process_start\\\":\\\"$boot/"
              + stat
              + "\\\",\\\"url\\\":\\\""
              + answering.url()
              + "\\\",\\\"otlp_http\\\":\\\"http://a\\\"}\" > '"
              + folder.state()
              + "'; exec sleep 600";

      ServerState state =
          new DetachedServer(folder, List.of("sh", "-c", script), Map.of(), PATIENCE, Bond.OUTLIVES)
              .start(waited -> {});

      assertThat(state.url()).isEqualTo(answering.url());
      assertThat(new ServerEnd(folder, PATIENCE, notes::add).end()).contains(state.pid());
    }
  }

  @Test
  void theErrorOfADetachedServerIsPassedOn() throws IOException {
    Files.writeString(folder.log(), "rollscope: an error of last week (expected: none)\n");
    String script =
        "echo building …; echo 'rollscope: --port: 80 is in use (expected: a free port)' >&2; exit 1";

    assertThatThrownBy(
            () ->
                new DetachedServer(
                        folder, List.of("sh", "-c", script), Map.of(), PATIENCE, Bond.OUTLIVES)
                    .start(waited -> {}))
        .isInstanceOf(Failure.class)
        .hasMessage("--port: 80 is in use (expected: a free port)");
    assertThatThrownBy(
            () ->
                new DetachedServer(folder, List.of("false"), Map.of(), PATIENCE, Bond.OUTLIVES)
                    .start(waited -> {}))
        .hasMessage("server: ended at once (expected: a start; see " + folder.log() + ")");
  }

  /** A server that complains for months must not fill the disk. */
  @Test
  void theLogStaysWithinBounds() throws IOException {
    Files.writeString(folder.log(), "x".repeat(101));

    LogLimit.enforce(folder.log(), 100);

    assertThat(folder.log()).isEmptyFile();
    assertThat(folder.path().resolve("server.log.1")).hasSize(101);
  }
}
