package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of spans, from the request to the segment and through the journal. */
class SpanEventsTest {
  private static final String EVENTS =
      "select name, json_extract_string(attributes['otel.events'], '$[0].name'), error_type"
          + " from spans order by name";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  @Test
  void eventsAreKept(@TempDir Path copy) throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "sealed", 0, 10).failed("OOM", "no memory", 5).send();
      store.awaitSpans(1);
      store.sealAll();
      store.sender().span(2, 1, 0, "waiting", 0, 10).failed("OOM", "no memory", 5).send();
      store.awaitSpans(2);
      assertThat(store.query(EVENTS))
          .containsExactly("sealed|exception|OOM", "waiting|exception|OOM");
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      assertThat(store.query(EVENTS))
          .containsExactly("sealed|exception|OOM", "waiting|exception|OOM");
    }
  }

  /** A span whose parent, not yet seen, may name its run goes into checkpoints. */
  @Test
  void eventsOutliveACheckpoint() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "open", 0, -1).failed("OOM", "no memory", 5).send();
      TestStore.await(() -> store.store().numbers().openSpans() == 1);
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(EVENTS)).containsExactly("open|exception|null");
      store.sender().span(1, 1, 0, "open", 0, 8).send();
      store.awaitSpans(1);
      store.sealAll();
      assertThat(store.query(EVENTS)).containsExactly("open|exception|null");
    }
  }
}
