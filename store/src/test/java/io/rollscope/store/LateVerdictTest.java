package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static io.rollscope.store.TestStore.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.store.hot.HotStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts and spans that come hours after their session was sealed, or hours before it. */
class LateVerdictTest {
  private static final double HOUR = 3_600;
  private static final String SESSIONS =
      "select session, status, span_count from sessions order by session";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  private static void session(TestStore store, long trace) {
    store
        .sender()
        .span(trace, 1, 0, "rollout", 0, 10)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .attribute("rl.batch.id", "b-1")
        .span(trace, 2, 1, "generate", 1, 6)
        .send();
  }

  private static void judge(TestStore store, long trace, double at, String status) {
    long before = store.store().numbers().verdicts();
    store.sender().sendLogs(List.of(verdict(trace, 1, at, status)), List.of());
    await(() -> store.store().numbers().verdicts() == before + 1);
  }

  /** A verdict waits, and then no longer. */
  private static void awaitSearched(TestStore store) {
    store.tickUntil(() -> store.store().numbers().waitingVerdicts() == 1);
    store.pass(16);
    store.tickUntil(() -> store.store().numbers().waitingVerdicts() == 0);
  }

  /** What came back is in a segment again; it may have been at once. */
  private static void awaitLeft(TestStore store) {
    store.passUntil(60, () -> store.store().numbers().hotSpans() == 0);
  }

  /** Lets hours pass: nothing is left of the ids by which late news is recognised at once. */
  private static void forget(TestStore store, Path folder) {
    store.passUntil(
        HOUR / 2,
        () -> {
          try (Stream<Path> files = Files.list(folder.resolve("segments/v1"))) {
            return files.noneMatch(f -> f.getFileName().toString().startsWith("ids-"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void sealTwo(TestStore store, Path folder) {
    session(store, 1);
    store.awaitSpans(2);
    store.sealAll();
    session(store, 2);
    store.awaitSpans(4);
    store.sealAll();
    forget(store, folder);
  }

  @Test
  void aVerdictHoursAfterItsSessionWasSealedCounts() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      sealTwo(store, data);
      judge(store, 1, 50, "rejected");
      awaitSearched(store);
      awaitLeft(store);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2", "s-2|completed|2");
      assertThat(store.live("run-1").sessionSummary().get("rejected")).isEqualTo(1);
      assertThat(store.live("run-1").sessionSummary().get("completed")).isEqualTo(1);
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2", "s-2|completed|2");
      assertThat(store.live("run-1").sessionSummary().get("rejected")).isEqualTo(1);
    }
  }

  /** After a restart the board counts sessions of which it has no card. */
  @Test
  void aVerdictAfterARestartDoesNotCountItsSessionTwice() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      sealTwo(store, data);
    }
    try (TestStore store = TestStore.open(data, clock)) {
      judge(store, 1, 50, "rejected");
      awaitSearched(store);
      awaitLeft(store);
      assertThat(store.live("run-1").sessionSummary().get("rejected")).isEqualTo(1);
      assertThat(store.live("run-1").sessionSummary().get("completed")).isEqualTo(1);
    }
  }

  @Test
  void aLateVerdictOutlivesAKillBeforeItsSessionIsSealedAgain(@TempDir Path copy) throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      sealTwo(store, data);
      judge(store, 1, 50, "rejected");
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      awaitSearched(store);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2", "s-2|completed|2");
    }
  }

  @Test
  void aSpanHoursAfterItsSessionWasSealedBelongsToIt() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1);
      judge(store, 1, 50, "rejected");
      store.awaitSpans(2);
      store.sealAll();
      forget(store, data);
      store
          .sender()
          .span(1, 3, 1, "train", 12, 14)
          .attribute("rl.session.id", "s-1")
          .attribute("rl.batch.id", "b-1")
          .send();
      store.awaitSpans(3);
      store.seal();
      store.passUntil(120, () -> reports(store, "s-1|rejected|3"));
      awaitLeft(store);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|3");
      assertThat(store.query("select sum(self_ns) from spans where session = 's-1'"))
          .isEqualTo(
              store.query(
                  "select wall_ns - queue_ns - gap_ns - barrier_ns - unaccounted_ns from sessions"));
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|3");
    }
  }

  /** An engine's span, hours late, that says nothing but who its parent is. */
  @Test
  void aSpanWhoseParentWasSealedHoursAgoBelongsToItsSession() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      sealTwo(store, data);
      store.sender().span(1, 3, 1, "llm_request", 2, 3).send();
      store.awaitSpans(5);
      store.passUntil(60, () -> reports(store, "s-1|completed|3", "s-2|completed|2"));
      awaitLeft(store);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|completed|3", "s-2|completed|2");
    }
  }

  private static boolean reports(TestStore store, String... rows) {
    try {
      return store.query(SESSIONS).equals(List.of(rows));
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The same data is imported once more, hours later. */
  @Test
  void aSessionThatComesAgainHoursLaterIsCountedOnce() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 1);
      store.awaitSpans(2);
      store.sealAll();
      forget(store, data);
      session(store, 1);
      store.awaitSpans(4);
      store.seal();
      store.passUntil(30, () -> reports(store, "s-1|completed|2"));
    }
  }

  @Test
  void aVerdictHoursBeforeItsSpanCounts(@TempDir Path copy) throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      judge(store, 1, 50, "rejected");
      for (int i = 0; i < 6; i++) { // Checkpoints come and go.
        session(store, 10 + i);
        store.awaitSpans(2L * (i + 1));
        store.sealAll();
        store.pass(HOUR);
      }
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      assertThat(store.store().numbers().waitingVerdicts()).isEqualTo(1);
      session(store, 1);
      store.awaitSpans(2);
      store.sealAll();
      assertThat(store.query("select status from sessions where session = 's-1'"))
          .containsExactly("rejected");
      assertThat(store.store().numbers().waitingVerdicts()).isZero();
    }
  }

  /** A judge with one trace for all its verdicts, faster than the exporter of the rollouts. */
  @Test
  void aVerdictThatNamesItsSessionWaitsForIt() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .sendLogs(
              List.of(verdict(77, 5, 90, "rejected", "s-1"), verdict(77, 6, 90, "accepted", "s-2")),
              List.of());
      store.tickUntil(() -> store.store().numbers().waitingVerdicts() == 2);
      store.pass(HOUR);
      session(store, 1);
      session(store, 2);
      store.awaitSpans(4);
      store.sealAll();
      assertThat(store.query(SESSIONS)).containsExactly("s-1|rejected|2", "s-2|accepted|2");
      assertThat(store.store().numbers().waitingVerdicts()).isZero();
      assertThat(store.store().numbers().traces()).isZero();
    }
  }

  @Test
  void aVerdictThatNamesASessionSealedHoursAgoCounts() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      sealTwo(store, data);
      store.sender().sendLogs(List.of(verdict(77, 5, 50, "rejected", "s-2")), List.of());
      awaitSearched(store);
      awaitLeft(store);
      assertThat(store.query(SESSIONS)).containsExactly("s-1|completed|2", "s-2|rejected|2");
    }
  }

  @Test
  void aVerdictWithoutASessionIsDroppedAfterADayAndCounted(@TempDir Path copy) throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      session(store, 2);
      judge(store, 1, 50, "rejected");
      store.pass(12 * HOUR);
      store.seal();
      store.pass(HOUR);
      store.sender().span(9, 1, 0, "open", 11, -1).send();
      await(() -> store.store().numbers().openSpans() == 1);
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      assertThat(store.store().numbers().waitingVerdicts()).isEqualTo(1);
      store.pass(12 * HOUR); // In all a day, a restart in between.
      store.tickUntil(() -> store.store().numbers().waitingVerdicts() == 0);
      assertThat(store.store().numbers().refused()).containsEntry(HotStore.NO_SESSION, 1L);
      assertThat(store.live("run-1").dropped()).containsEntry("verdicts", 1L);
    }
  }
}
