package io.rollscope.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.cli.FakeServer;
import io.rollscope.cli.problem.Failure;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The live screen of a server that goes away and comes back. */
class RemoteLiveTest {
  private static final String RUNS =
      "{\"runs\":[{\"run\":\"a\",\"state\":\"live\",\"last_s\":1.5}]}";

  private static FakeServer server(int port, int events) throws IOException {
    return new FakeServer(port).on("/api/v1/runs", RUNS).on("/api/v1/runs/a/live", report(events));
  }

  private static String report(int events) {
    return "{\"run\":\"a\",\"raw_event_count\":"
        + events
        + ",\"session_summary\":{\"total\":1},\"task_summary\":{},\"rows\":[]}";
  }

  private static RemoteLive live(FakeServer server) {
    return new RemoteLive(
        new Api(URI.create(server.url()), null, Trust.USUAL),
        null,
        Scope.ACTIVE,
        RemoteRun.MOST_ROWS);
  }

  @Test
  void aServerThatIsNotThereAtFirstIsAFailure() throws IOException {
    FakeServer server = server(0, 1);
    RemoteLive live = live(server);
    server.close();

    assertThatThrownBy(() -> live.open(waited -> {})).isInstanceOf(Failure.class);
  }

  /** The server was started first, the training is still loading its model. */
  @Test
  void theFirstRunIsWaitedFor() throws IOException {
    try (FakeServer server = server(0, 1).on("/api/v1/runs", "{\"runs\":[]}")) {
      RemoteLive live = live(server);

      live.open(waited -> server.on("/api/v1/runs", RUNS));

      assertThat(live.report(100).run()).isEqualTo("a");
    }
  }

  /** A restart of the server, while somebody watches. */
  @Test
  void theLastReportStaysWhileTheServerIsAwayAndTheNextOneFollows() throws IOException {
    FakeServer server = server(0, 1);
    RemoteLive live = live(server);
    live.open(waited -> {});
    server.close();

    assertThat(live.poll()).isTrue();
    assertThat(live.trouble()).isEqualTo("server: " + server.url() + " does not answer");
    assertThat(live.report(100).rawEventCount()).isEqualTo(1);
    assertThat(live.poll()).as("the same trouble is no news").isFalse();

    try (FakeServer back = server(server.port(), 2)) {
      assertThat(live.poll()).isTrue();
      assertThat(live.trouble()).isNull();
      assertThat(live.report(100).rawEventCount()).isEqualTo(2);
      assertThat(live.poll()).as("nothing happened").isFalse();
      back.on("/api/v1/runs/a/live", report(3));
      assertThat(live.poll()).isTrue();
    }
  }
}
