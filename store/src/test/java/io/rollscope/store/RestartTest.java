package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.RunSummary;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server is killed and started again, with work of all ages in segments and journal. */
class RestartTest {
  private static final String SESSIONS =
      "select session, status, span_count, open_count from sessions order by session";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;
  @TempDir Path copy;

  /** Everything is sealed, and the journal still holds all of it. */
  @Test
  void aRunThatIsAllSealedKeepsItsLastTimeAfterAKill() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .span(1, 1, 0, "rollout", 20, 90)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-1")
          .span(1, 2, 1, "generate", 21, 60)
          .send();
      store.awaitSpans(2);
      store.sealAll();
      RunSummary before = store.store().runs().get(0);
      assertThat(before.lastS()).isEqualTo(Sender.at(90) / 1e9);
      try (TestStore again = TestStore.open(store.killed(copy), clock)) {
        RunSummary after = again.store().runs().get(0);
        assertThat(after.firstS()).isEqualTo(before.firstS());
        assertThat(after.lastS()).isEqualTo(before.lastS());
        assertThat(after.spans()).isEqualTo(2);
        assertThat(after.sessions()).isEqualTo(1);
      }
    }
  }

  /** An agent works for hours; its first steps were sealed long ago. */
  @Test
  void aSessionThatIsOpenForHoursIsListedOnceAfterARestart() throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .span(1, 1, 0, "rollout", 20, -1)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-1")
          .span(1, 2, 1, "generate", 21, 60)
          .attribute("rl.session.id", "s-1")
          .send();
      store.awaitSpans(1);
      store.seal();
      for (int hour = 0; hour < 3; hour++) { // Ids are forgotten, the journal is written anew.
        store.pass(3_700);
        store.sender().span(10 + hour, 1, 0, "other", 3_000, 3_001).send();
        store.awaitSpans(2 + hour);
        store.seal();
        store.tick();
      }
      assertThat(store.query(SESSIONS)).contains("s-1|running|2|1").hasSize(4);
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      assertThat(store.query(SESSIONS)).contains("s-1|running|2|1").hasSize(4);
      assertThat(store.live("run-1").sessionSummary()).containsEntry("total", 4);
      store.sender().span(1, 1, 0, "rollout", 20, 200).attribute("rl.kind", "session").send();
      store.awaitSpans(1);
      store.sealAll();
      assertThat(store.query(SESSIONS)).contains("s-1|completed|2|0").hasSize(4);
    }
  }
}
