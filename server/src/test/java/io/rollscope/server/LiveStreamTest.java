package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.server.EventStream.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody watches a run. */
class LiveStreamTest {
  private static final String STREAM = "/api/v1/runs/r1/live/stream?scope=all&limit=1000";

  @TempDir private Path data;
  private TestDoor door;

  @BeforeEach
  void open() throws StartException {
    door = TestDoor.open(data);
    door.admin.runs.add(TestAdmin.run("r1"));
  }

  @AfterEach
  void close() {
    door.close();
  }

  private void show(Row... rows) {
    door.admin.rows = List.of(rows);
    door.admin.version.incrementAndGet();
  }

  @Test
  void readerGetsTheWholeBoardAndThenWhatChanges() throws Exception {
    show(TestAdmin.row("a", 1), TestAdmin.row("b", 1), TestAdmin.row("c", 1));
    try (EventStream stream = new EventStream(door.door.url(), STREAM)) {
      Event first = stream.next();
      assertThat(first.name()).isEqualTo("snapshot");
      assertThat(first.id()).isEqualTo("1");
      assertThat(first.data().path("rows")).hasSize(3);
      assertThat(first.data().path("generated_at_s").isNumber()).isTrue();

      show(TestAdmin.row("a", 1), TestAdmin.row("b", 2), TestAdmin.row("d", 1));
      Event second = stream.next();

      assertThat(second.name()).isEqualTo("delta");
      assertThat(second.id()).isEqualTo("2");
      assertThat(second.data().path("rows").findValuesAsText("session")).containsExactly("b", "d");
      assertThat(second.data().path("removed").path(0).asText()).isEqualTo("c");
      assertThat(second.data().path("session_summary").path("total").asInt()).isEqualTo(3);
    }
  }

  @Test
  void slowReaderGetsAFreshBoardInsteadOfEverythingItMissed() throws Exception {
    show(many(1));
    try (EventStream stream = new EventStream(door.door.url(), STREAM)) {
      assertThat(stream.next().name()).isEqualTo("snapshot");
      int told = 0;
      for (int round = 2; round < 60; round++) {
        show(many(round));
        door.door.tick();
        told = round;
      }
      Event event = stream.next();
      int events = 1;
      boolean fresh = event.name().equals("snapshot");
      while (event.data().path("rows").path(0).path("event_count").asInt() != told) {
        event = stream.next();
        fresh |= event.name().equals("snapshot");
        events++;
      }

      // The last rounds may be told after it: the reader has caught up by then.
      assertThat(fresh).isTrue();
      assertThat(events).isLessThan(40);
    }
  }

  /** About 300 kB: more than the sockets between server and reader hold for long. */
  private static Row[] many(int events) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> TestAdmin.row("session-" + i, events))
        .toArray(Row[]::new);
  }

  @Test
  void readerThatLeavesIsForgotten() throws Exception {
    show(TestAdmin.row("a", 1));
    EventStream stream = new EventStream(door.door.url(), STREAM);
    stream.next();
    assertThat(door.door.liveStreams()).isEqualTo(1);

    stream.close();

    Waiting.until(() -> door.door.liveStreams() == 0);
  }

  @Test
  void closingServerEndsItsStreams() throws Exception {
    show(TestAdmin.row("a", 1));
    try (EventStream stream = new EventStream(door.door.url(), STREAM)) {
      stream.next();

      door.close();

      assertThatThrownBy(stream::next).isInstanceOf(IOException.class);
    }
  }

  @Test
  void streamOfAnUnknownRunIsNotFound() {
    assertThatThrownBy(
            () -> new EventStream(door.door.url(), "/api/v1/runs/none/live/stream").close())
        .hasMessageContaining("404");
  }
}
