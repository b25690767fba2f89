package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static io.rollscope.store.TestStore.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** News of spans and sessions that are in segments, or on the way there. */
class LateNewsTest {
  private static final String SESSIONS =
      "select session, status, span_count from sessions order by session";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  private static void oneSession(Sender sender, long trace) {
    sender
        .span(trace, 1, 0, "rollout", 0, 10)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .span(trace, 2, 1, "generate", 1, 6)
        .send();
  }

  /** The judge answers in the very moment in which the rollout is written to a segment. */
  @Test
  void aVerdictThatComesWhileItsSessionIsSealedIsKept() throws Exception {
    FaultyDisk disk = new FaultyDisk(new RealDisk());
    try (TestStore store = TestStore.open(data, disk, clock)) {
      oneSession(store.sender(), 1);
      store.awaitSpans(2);
      AtomicBoolean sent = new AtomicBoolean();
      disk.watch(
          call -> {
            if (call.startsWith("rename spans-") && sent.compareAndSet(false, true)) {
              store.sender().sendLogs(List.of(verdict(1, 1, 90, "rejected")), List.of());
              await(() -> store.store().numbers().verdicts() == 1);
            }
          });
      store.seal();
      assertThat(sent).isTrue();
      store.sealAll();
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2");
    }
  }

  /** An engine exports its span after the session was judged and sealed. */
  @Test
  void aLateSpanDoesNotTakeTheVerdictAway() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      oneSession(store.sender(), 1);
      store.sender().sendLogs(List.of(verdict(1, 1, 90, "rejected")), List.of());
      store.awaitSpans(2);
      store.sealAll();
      store.sender().span(1, 3, 1, "late", 7, 8).send();
      store.awaitSpans(3);
      store.sealAll();
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|3");
    }
  }

  /** An older verdict that was on the way for long does not win against the sealed one. */
  @Test
  void theNewestVerdictWinsAlsoIfTheOlderOneComesAfterSealing() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      oneSession(store.sender(), 1);
      store.sender().sendLogs(List.of(verdict(1, 1, 90, "rejected")), List.of());
      store.awaitSpans(2);
      store.sealAll();
      store.sender().sendLogs(List.of(verdict(1, 1, 80, "accepted")), List.of());
      await(() -> store.store().numbers().verdicts() == 2);
      store.pass(60);
      store.tickUntil(() -> store.store().numbers().hotSpans() == 0);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2");
    }
  }

  /** The server is stopped right after a late span came in. */
  @Test
  void aSessionThatComesBackWhileTheStoreClosesIsThereOnce() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      oneSession(store.sender(), 1);
      store.awaitSpans(2);
      store.sealAll();
      store.sender().span(1, 3, 1, "late", 7, 8).send();
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(SESSIONS)).containsExactly("s-1|completed|3");
    }
  }

  /** A worker exports what continues the trainer's op when that is in a segment already. */
  @Test
  void whatContinuesASealedOpIsNoSession() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "train.step", 0, 10).attribute("rl.kind", "op").send();
      store.awaitSpans(1);
      store.sealAll();
      store.sender().span(1, 2, 1, "remote.child", 1, 2).send();
      store.awaitSpans(2);
      store.tick();
      assertThat(store.query(SESSIONS)).isEmpty();
      store.sealAll();
      assertThat(store.query(SESSIONS)).isEmpty();
      assertThat(store.query("select name, lane from spans order by name"))
          .containsExactly("remote.child|remote.child", "train.step|train.step");
    }
  }

  /** AReaL's executor decides after the rollout: the source's word is no longer pending. */
  @Test
  void theSourcesWordIsThatOfTheVerdictAlsoAfterSealing() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .span(1, 1, 0, "rollout", 0, 10)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-1")
          .attribute("xtuner.status", "pending")
          .send();
      store.sender().sendLogs(List.of(verdict(1, 1, 90, "failed")), List.of());
      await(() -> store.store().numbers().verdicts() == 1);
      String words = "select status, source_status from sessions";
      assertThat(store.query(words)).containsExactly("failed|failed");
      store.sealAll();
      store.sender().span(1, 3, 1, "late", 7, 8).send();
      store.awaitSpans(2);
      store.tick();
      store.sealAll();
      assertThat(store.query(words)).containsExactly("failed|failed");
    }
  }

  /** An exporter repeats a batch whose answer got lost; part of the trace is sealed, part open. */
  @Test
  void aSealedStateIsNotStoredAgainWhileItsTraceGoesOn() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      for (int i = 0; i < 2; i++) {
        store
            .sender()
            .span(1, 1, 0, "rollout", 0, -1)
            .span(1, 2, 1, "update_weights", 1, 2)
            .attribute("rl.kind", "state")
            .attribute("rl.lane", "trainer")
            .send();
        long known = i;
        await(() -> store.store().numbers().duplicates() >= 2 * known);
        store.pass(60);
        store.tick();
        assertThat(store.store().numbers().seals()).isEqualTo(1);
      }
      assertThat(store.query("select name, count(*) from spans group by name order by name"))
          .containsExactly("rollout|1", "update_weights|1");
    }
  }

  /** A judge of its own process, with a trace of its own, names the session. */
  @Test
  void aVerdictOfAnotherTraceOutlivesCheckpointAndCrash(@TempDir Path copy) throws Exception {
    StoreOptions small =
        new StoreOptions(
            data,
            new RealDisk(),
            clock::get,
            null,
            1_000,
            1_000,
            TestStore.SEAL_AFTER,
            512,
            100L << 20);
    try (TestStore store = TestStore.open(small, clock)) {
      store
          .sender()
          .span(1, 1, 0, "rollout", 0, -1)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-1")
          .send();
      store.sender().sendLogs(List.of(verdict(77, 5, 90, "rejected", "s-1")), List.of());
      await(() -> store.store().numbers().verdicts() == 1);
      store.pass(700);
      for (int i = 0; i < 12; i++) { // Small files: the first ones go.
        store.sender().span(100 + i, 1, 0, "filler-with-a-name-of-some-length", 1, 2).send();
      }
      store.awaitSpans(12);
      store.seal();
      store.pass(60);
      store.tickUntil(() -> store.store().numbers().journal().files() <= 3);
      Path killed = store.killed(copy);
      try (TestStore again = TestStore.open(killed, clock)) {
        assertThat(again.query("select status from sessions where session = 's-1'"))
            .containsExactly("rejected");
      }
    }
  }
}
