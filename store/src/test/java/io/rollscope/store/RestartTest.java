package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.store.query.Reports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private static StoredRun run(TestStore store) {
    Reports reports = new Reports(store.store().snapshots(), "store");
    return new StoredRun(store.store(), reports, "run-1", "store");
  }

  private static void sendSession(TestStore store, int number) {
    store
        .sender()
        .span(number, 1, 0, "rollout", 10 * number, 10 * number + 9)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + number)
        .attribute("rl.task.id", "t-" + number)
        .attribute("rl.status", number == 2 ? "rejected" : "accepted")
        .span(number, 2, 1, "generate", 10 * number, 10 * number + 5)
        .span(number, 3, 1, "judge", 10 * number + 5, 10 * number + 8)
        .send();
  }

  @Test
  void theLiveBoardListsFinishedSessionsAfterARestart() throws Exception {
    LiveReport before;
    try (TestStore store = TestStore.open(data, clock)) {
      for (int number = 1; number <= 3; number++) {
        sendSession(store, number);
      }
      store.awaitSpans(9);
      before = store.live("run-1");
      assertThat(before.rows()).hasSize(3);
      store.sealAll();
    }
    try (TestStore store = TestStore.open(data, clock)) {
      LiveReport after = store.live("run-1");
      assertThat(after.rows()).isEqualTo(before.rows());
      assertThat(after.sessionSummary()).isEqualTo(before.sessionSummary());
      assertThat(after.eventCount()).isEqualTo(before.eventCount());
    }
  }

  /** It is counted once, also when it is in memory again. */
  @Test
  void aFinishedSessionThatGoesOnAfterARestartIsListedOnce() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      sendSession(store, 1);
      sendSession(store, 2);
      store.awaitSpans(6);
      store.sealAll();
    }
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 4, 1, "reward", 18, 19).send();
      store.awaitSpans(1);
      store.tick();
      LiveReport live = store.live("run-1");
      assertThat(live.rows()).extracting(LiveReport.Row::session).containsOnlyOnce("s-1", "s-2");
      assertThat(live.sessionSummary()).containsEntry("total", 2);
    }
  }

  /** Of a stage of 60 s, 40 s were spent in a part of it that came in after the restart. */
  @Test
  void selfTimesKnowWhatCameInAfterARestart() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .span(1, 1, 0, "rollout", 10, 80)
          .attribute("rl.kind", "session")
          .attribute("rl.session.id", "s-1")
          .attribute("rl.task.id", "t-1")
          .attribute("rl.train_step", 1)
          .span(1, 2, 1, "generate", 15, 75)
          .send();
      store.awaitSpans(2);
      store.sealAll();
    }
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 3, 2, "engine", 20, 60).send();
      store.awaitSpans(1);
      store.tick();
      store.pass(2); // What was asked before is older than a second.
      ReportRequest all = ReportRequest.of(Scope.ALL);
      TimelineReport timeline = run(store).timeline(all);
      List<String> selfTimes = new ArrayList<>();
      for (int i = 0; i < timeline.name().length; i++) {
        selfTimes.add(timeline.names().get(timeline.name()[i]) + " " + timeline.selfNs()[i]);
      }
      assertThat(selfTimes).contains("generate 20000000000", "engine 40000000000");
      BatchesReport.Straggler straggler =
          run(store).batches(all).batches().get(0).stragglers().get(0);
      assertThat(straggler.longestIn()).isEqualTo("engine");
      assertThat(straggler.longestS()).isEqualTo(40.0);
    }
  }
}
