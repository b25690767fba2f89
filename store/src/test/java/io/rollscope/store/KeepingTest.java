package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static io.rollscope.store.TestStore.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.RunSummary;
import io.rollscope.store.disk.RealDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of segments and journal over hours: memory of ids, retention, merging, deletion. */
class KeepingTest {
  private static final String COUNTS =
      "select count(*), count(distinct (trace_id, span_id)) from spans";
  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;
  @TempDir Path copy;

  private static void oneSession(Sender sender, long trace) {
    sender
        .span(trace, 1, 0, "rollout", 0, 10)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .span(trace, 2, 1, "generate", 1, 6)
        .send();
  }

  private TestStore withRetention(Duration age) throws Exception {
    return TestStore.open(
        new StoreOptions(data, new RealDisk(), clock::get, age, 1_000, 1_000, TestStore.SEAL_AFTER),
        clock);
  }

  /** A server that runs for hours without much traffic is killed. */
  @Test
  void whatWasSealedHoursAgoIsNotReadFromTheJournalOnceMore() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      for (int i = 1; i <= 6; i++) {
        oneSession(store.sender(), i);
        store.awaitSpans(4L * i - 2);
        store.seal();
        store.pass(1_800);
        long seals = store.store().numbers().seals();
        oneSession(store.sender(), 100 + i);
        store.awaitSpans(4L * i);
        store.passUntil(60, () -> store.store().numbers().seals() > seals);
        oneSession(store.sender(), 100 + i);
      }
      Path killed = store.killed(copy);
      try (TestStore again = TestStore.open(killed, clock)) {
        assertThat(again.query(COUNTS)).containsExactly("24|24");
      }
    }
  }

  /** A judge decides after sealing; the segment with the new verdict has no spans. */
  @Test
  void retentionKeepsALateVerdict() throws Exception {
    try (TestStore store = withRetention(Duration.ofHours(2))) {
      oneSession(store.sender(), 1);
      store.awaitSpans(2);
      store.sealAll();
      store.sender().sendLogs(List.of(verdict(1, 1, 150, "rejected")), List.of());
      await(() -> store.store().numbers().verdicts() == 1);
      store.seal();
      for (int i = 0; i < 5; i++) {
        store.pass(11);
        oneSession(store.sender(), 10 + i);
        store.awaitSpans(4 + 2L * i);
        store.seal();
      }
      assertThat(store.query("select status from sessions where session = 's-1'"))
          .containsExactly("rejected");
      store.passUntil(2_000, () -> store.store().numbers().segments() == 0);
      assertThat(store.query("select count(*) from sessions")).containsExactly("0");
    }
  }

  @Test
  void theBoardForgetsWhatRetentionRemoves() throws Exception {
    try (TestStore store = withRetention(Duration.ofHours(2))) {
      oneSession(store.sender(), 1);
      store.awaitSpans(2);
      store.sealAll();
      store.pass(1_800);
      store
          .sender()
          .span(2, 1, 0, "rollout", 2_000, 2_001)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-2")
          .send();
      store.awaitSpans(3);
      store.sealAll();
      assertThat(store.live("run-1").sessionSummary()).containsEntry("total", 2);
      assertThat(store.store().runs().get(0).spans()).isEqualTo(3);
      store.passUntil(600, () -> store.store().numbers().segments() == 1);
      store.tickUntil(() -> store.live("run-1").sessionSummary().get("total") == 1);
      assertThat(store.live("run-1").rows())
          .extracting(row -> row.session())
          .containsExactly("s-2");
      RunSummary run = store.store().runs().get(0);
      assertThat(run.spans()).isEqualTo(1);
      assertThat(run.firstS()).isEqualTo(Sender.at(2_000) / 1e9);
      store.passUntil(600, () -> store.store().numbers().segments() == 0);
      store.tickUntil(() -> store.store().runs().isEmpty());
    }
  }

  /** An exporter repeats a request whose answer got lost, also after a restart. */
  @Test
  void aRepeatedPointIsStoredOnce() throws Exception {
    String points = "select count(*), sum(value) from metrics";
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().sendGauge("loss", 10, 1, 2, 2);
      store.sender().sendGauge("loss", 10, 1, 2, 2);
      await(() -> store.store().numbers().points() == 6);
      assertThat(store.store().numbers().duplicatePoints()).isEqualTo(3);
      assertThat(store.query(points)).containsExactly("3|5.0");
      store.seal();
      store.sender().sendGauge("loss", 10, 1, 2, 2);
      store.sender().sendGauge("other", 10, 1, 2, 2);
      store.sender().sendGauge("loss", 10, 5);
      await(() -> store.store().numbers().points() == 13);
      assertThat(store.query(points)).containsExactly("7|15.0");
      killed = store.killed(copy);
    }
    try (TestStore store = TestStore.open(killed, clock)) {
      store.sender().sendGauge("loss", 10, 1, 2, 2);
      await(() -> store.store().numbers().duplicatePoints() >= 6);
      assertThat(store.query(points)).containsExactly("7|15.0");
    }
  }

  /** Nobody sends anything at night; in the morning somebody asks. */
  @Test
  void questionsFindMergedSegmentsAlsoWhenNothingElseHappened() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      for (int i = 1; i <= 9; i++) {
        oneSession(store.sender(), i);
        store.awaitSpans(2L * i);
        store.sealAll();
      }
      assertThat(store.query(COUNTS)).containsExactly("18|18");
      store.passUntil(11, () -> store.store().numbers().segments() <= 3);
      store.passUntil(11, () -> files() <= 3);
      assertThat(store.query(COUNTS)).containsExactly("18|18");
      assertThat(store.query("select count(*) from sessions")).containsExactly("9");
      for (int i = 1; i <= 9; i++) {
        oneSession(store.sender(), i);
      }
      await(() -> store.store().numbers().duplicates() == 18);
    }
    try (TestStore store = TestStore.open(data, clock)) {
      for (int i = 1; i <= 9; i++) {
        oneSession(store.sender(), i);
      }
      await(() -> store.store().numbers().duplicates() == 18);
      assertThat(store.query(COUNTS)).containsExactly("18|18");
    }
  }

  private int files() {
    return data.resolve("segments/v1").toFile().list((d, n) -> n.startsWith("spans-")).length;
  }

  @Test
  void aDeletedRunStaysGoneAfterAKill() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      oneSession(store.sender(), 1);
      store.sender().begin("run-2", "i-2").span(20, 1, 0, "rollout", 0, 1).send();
      store.sender().begin("run-2", "i-2").span(21, 1, 0, "rollout", 90, -1).send();
      store.sender().span(22, 1, 0, "generate", 90, -1).send();
      store.awaitSpans(3);
      await(() -> store.store().numbers().openSpans() == 2);
      assertThat(store.query("select count(*) from spans where run = 'run-2'"))
          .containsExactly("2");
      assertThat(store.store().deleteRun("run-2")).isEqualTo(2);
      Path killed = store.killed(copy);
      try (TestStore again = TestStore.open(killed, clock)) {
        assertThat(again.query("select run, outcome, count(*) from spans group by all order by 2"))
            .containsExactly("run-1|ok|2", "run-1|open|1");
        assertThat(again.store().runs()).extracting(RunSummary::run).containsExactly("run-1");
      }
    }
  }

  /** Somebody imports a folder under a wrong name, deletes the run, and imports it again. */
  @Test
  void aDeletedRunCanBeSentAgain() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      oneSession(store.sender(), 1);
      store.sender().sendLogs(List.of(verdict(1, 1, 90, "rejected")), List.of());
      store.awaitSpans(2);
      store.sealAll();
      assertThat(store.store().deleteRun("run-1")).isEqualTo(2);
      assertThat(store.query(COUNTS)).containsExactly("0|0");
      oneSession(store.sender(), 1);
      store.sender().sendLogs(List.of(verdict(1, 1, 90, "rejected")), List.of());
      store.awaitSpans(4);
      store.sealAll();
      assertThat(store.query("select status, span_count from sessions"))
          .containsExactly("rejected|2");
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(COUNTS)).containsExactly("2|2");
    }
  }

  /** Somebody deletes a run while memory is full and requests wait for room. */
  @Test
  void aRunIsDeletedAlsoWhileMemoryIsFull() throws Exception {
    StoreOptions tiny =
        new StoreOptions(
            data,
            new RealDisk(),
            clock::get,
            null,
            1_000,
            5,
            Duration.ofHours(9),
            1L << 20,
            1 << 30);
    try (TestStore store = TestStore.open(tiny, clock)) {
      for (int i = 1; i <= 60; i++) {
        oneSession(store.sender(), i);
      }
      assertThat(store.store().deleteRun("run-1")).isEqualTo(120);
      assertThat(store.query(COUNTS)).containsExactly("0|0");
    }
  }
}
