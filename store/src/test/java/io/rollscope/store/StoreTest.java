package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.query.Question;
import io.rollscope.store.query.Reports;
import io.rollscope.store.query.Snapshot;
import io.rollscope.store.query.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  private Store open() throws IOException {
    return Store.openByHand(
        new StoreOptions(
            data, new RealDisk(), clock::get, null, 1_000, 1_000, Duration.ofSeconds(30)));
  }

  private static void await(BooleanSupplier condition) {
    TestStore.await(condition);
  }

  private static void awaitSpans(Store store, long spans) {
    await(() -> store.numbers().spans() == spans);
  }

  private void seal(Store store) {
    long before = store.numbers().seals();
    clock.addAndGet(60 * Sender.SECOND);
    store.tick();
    assertThat(store.numbers().seals()).isGreaterThan(before);
  }

  private static List<String> query(Store store, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Snapshot snapshot = store.snapshots().take();
        Statement statement = snapshot.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int c = 1; c <= columns; c++) {
          row.add(rows.getString(c));
        }
        found.add(String.join("|", row));
      }
    }
    return found;
  }

  private static void oneSession(Sender sender) {
    sender
        .span(1, 1, 0, "rollout", 0, 10)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-1")
        .attribute("rl.train_step", 7)
        .attribute("rl.status", "accepted")
        .span(1, 2, 1, "generate", 1, 6)
        .attribute("gen_ai.usage.output_tokens", 512)
        .span(1, 3, 1, "judge", 6, 9)
        .failed("TimeoutError", "too slow", 9)
        .send();
  }

  @Test
  void aSessionAddsUpAndSurvivesSealingAndRestart() throws Exception {
    String spans =
        "select name, session, batch, outcome, self_ns // 1000000000, error_type from spans order by"
            + " start_ns";
    String sessions =
        "select session, status, batch, wall_ns // 1000000000, queue_ns // 1000000000, gap_ns //"
            + " 1000000000, barrier_ns // 1000000000, unaccounted_ns, span_count, error_count from"
            + " sessions";
    List<String> expectedSpans =
        List.of(
            "rollout|s-1|train_step=7|ok|0|null",
            "generate|s-1|train_step=7|ok|5|null",
            "judge|s-1|train_step=7|error|3|TimeoutError");
    List<String> expectedSessions = List.of("s-1|accepted|train_step=7|10|1|0|1|0|3|1");
    try (Store store = open()) {
      oneSession(new Sender(store, clock));
      awaitSpans(store, 3);
      assertThat(query(store, spans)).isEqualTo(expectedSpans);
      assertThat(query(store, sessions)).isEqualTo(expectedSessions);
      seal(store);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(store.numbers().hotSpans()).isZero();
      assertThat(query(store, spans)).isEqualTo(expectedSpans);
      assertThat(query(store, sessions)).isEqualTo(expectedSessions);
      LiveReport live = store.live("run-1", ReportRequest.of(Scope.ACTIVE).limit(10));
      assertThat(live.sessionSummary()).containsEntry("accepted", 1).containsEntry("total", 1);
      assertThat(live.rows()).hasSize(1);
    }
    try (Store store = open()) {
      assertThat(query(store, spans)).isEqualTo(expectedSpans);
      assertThat(query(store, sessions)).isEqualTo(expectedSessions);
      assertThat(
              query(
                  store,
                  "select attributes['gen_ai.usage.output_tokens'], attributes['service.name'] from"
                      + " spans where name = 'generate'"))
          .containsExactly("512|trainer");
      assertThat(store.numbers().duplicates()).isZero();
      oneSession(new Sender(store, clock));
      await(() -> store.numbers().duplicates() == 3);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(query(store, "select count(*) from spans")).containsExactly("3");
    }
  }

  @Test
  void openSpansAreShownAndSurviveACrash() throws Exception {
    Store crashed = open();
    new Sender(crashed, clock)
        .span(5, 1, 0, "rollout", 0, -1)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-5")
        .span(5, 2, 1, "generate", 40, -1)
        .send();
    await(() -> crashed.numbers().openSpans() == 2);
    LiveReport live = crashed.live("run-1", ReportRequest.of(Scope.ACTIVE).limit(10));
    assertThat(live.sessionSummary()).containsEntry("running", 1);
    assertThat(live.rows().get(0).stage()).isEqualTo("generate");
    assertThat(live.rows().get(0).openAgeS()).isEqualTo(60.0);
    assertThat(live.openSpanSummaries())
        .extracting(LiveReport.OpenSpanSummary::span)
        .containsExactly("rollout", "generate");
    crashed.close();
    try (Store store = open()) {
      assertThat(store.numbers().openSpans()).isEqualTo(2);
      new Sender(store, clock).span(5, 2, 1, "generate", 40, 90).send();
      awaitSpans(store, 1);
      assertThat(query(store, "select name, outcome from spans order by start_ns"))
          .containsExactly("rollout|open", "generate|ok");
    }
  }

  private static Verdict verdict(long trace, long span, double at, String status, String reason) {
    Said said =
        new Said(
            "run-1", null, null, false, null, null, null, null, null, null, null, null, null, null,
            status, null, reason);
    return new Verdict(
        trace,
        trace,
        span,
        Sender.at(at),
        status,
        reason,
        said,
        Sender.origin("i-1"),
        LateFacts.NONE);
  }

  /** A judge decides minutes after the rollout, when its spans are in a segment already. */
  @Test
  void aVerdictThatComesAfterSealingChangesTheSession() throws Exception {
    String sql = "select session, status, reason, wall_ns // 1000000000, span_count from sessions";
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      oneSession(sender);
      awaitSpans(store, 3);
      seal(store);
      assertThat(store.numbers().hotSpans()).isZero();
      sender.sendLogs(List.of(verdict(1, 1, 200, "rejected", "stale")), List.of());
      await(() -> store.numbers().verdicts() == 1);
      seal(store);
      assertThat(store.numbers().hotSpans()).isZero();
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(query(store, sql)).containsExactly("s-1|rejected|stale|200|3");
      LiveReport live = store.live("run-1", ReportRequest.of(Scope.ACTIVE).limit(10));
      assertThat(live.sessionSummary()).containsEntry("rejected", 1).containsEntry("total", 1);
      sender.sendLogs(List.of(verdict(1, 1, 200, "rejected", "stale")), List.of());
      await(() -> store.numbers().duplicates() == 1);
    }
    try (Store store = open()) {
      assertThat(query(store, sql)).containsExactly("s-1|rejected|stale|200|3");
    }
  }

  private static Verdict reward(double at, Double reward, Long input, Long output) {
    Verdict empty = verdict(1, 1, at, null, null);
    return new Verdict(
        1,
        1,
        1,
        empty.timeNs(),
        null,
        null,
        empty.said(),
        empty.origin(),
        LateFacts.at(empty.timeNs(), new RewardAndTokens(reward, input, output)));
  }

  /** A judge scores minutes after the rollout, twice, when all is in a segment already. */
  @Test
  void aRewardThatComesAfterSealingIsTheSessions() throws Exception {
    String sql =
        "select status, reward, input_tokens, output_tokens, end_ns // 1000000000 - 1794700000,"
            + " (reward_ns - end_ns) // 1000000000, span_count from sessions";
    String before;
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      oneSession(sender);
      awaitSpans(store, 3);
      assertThat(query(store, sql).get(0)).contains("|null|null|512|");
      seal(store);
      sender.sendLogs(List.of(reward(300, 0.25, null, null)), List.of());
      await(() -> store.numbers().verdicts() == 1);
      seal(store);
      clock.addAndGet(2 * Sender.SECOND);
      before = query(store, sql).get(0);
      assertThat(before).startsWith("accepted|0.25|null|512|").endsWith("|290|3");
      sender.sendLogs(List.of(reward(290, 0.5, 40L, null)), List.of());
      await(() -> store.numbers().verdicts() == 2);
      seal(store);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(query(store, sql)).containsExactly(before.replace("|null|512", "|40|512"));
    }
    try (Store store = open()) {
      assertThat(query(store, sql)).containsExactly(before.replace("|null|512", "|40|512"));
    }
  }

  /** An engine exports its span long after the trainer's were sealed. */
  @Test
  void aLateSpanJoinsItsSealedSession() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      oneSession(sender);
      awaitSpans(store, 3);
      seal(store);
      assertThat(store.numbers().hotSpans()).isZero();
      sender.span(1, 4, 2, "llm_request", 2, 5).send();
      awaitSpans(store, 4);
      store.tick();
      assertThat(store.numbers().hotSpans()).isEqualTo(4);
      LiveReport live = store.live("run-1", ReportRequest.of(Scope.ALL).limit(10));
      assertThat(live.sessionSummary()).containsEntry("accepted", 1).containsEntry("total", 1);
      seal(store);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(
              query(
                  store,
                  "select session, status, span_count, wall_ns - queue_ns - gap_ns - barrier_ns -"
                      + " unaccounted_ns - (select sum(self_ns) from spans) from sessions"))
          .containsExactly("s-1|accepted|4|0");
    }
  }

  /** Children are exported when they end, their parent much later: plain OpenTelemetry. */
  @Test
  void aParentNotYetSeenMakesItsSessionRunningUntilItComes() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(9, 2, 1, "generate", 90, 95).send();
      awaitSpans(store, 1);
      LiveReport live = store.live("run-1", ReportRequest.of(Scope.ACTIVE).limit(10));
      assertThat(live.sessionSummary()).containsEntry("running", 1);
      assertThat(live.rows().get(0).stage()).isEqualTo("(not yet seen)");
      assertThat(live.rows().get(0).openAgeS()).isEqualTo(10.0);
      assertThat(query(store, "select name, outcome from spans order by name"))
          .containsExactly("(not yet seen)|open", "generate|ok");
      sender.span(9, 1, 0, "rollout", 89, 99).attribute("rl.session.id", "s-9").send();
      awaitSpans(store, 2);
      live = store.live("run-1", ReportRequest.of(Scope.ALL).limit(10));
      assertThat(live.sessionSummary()).containsEntry("completed", 1).containsEntry("total", 1);
      assertThat(live.rows().get(0).session()).isEqualTo("s-9");
    }
  }

  @Test
  void aParentNotYetSeenIsGivenUpWhenTheRunWentOnForTenMinutesWithoutIt() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(9, 2, 1, "generate", 90, 95).send();
      awaitSpans(store, 1);
      clock.addAndGet(601 * Sender.SECOND);
      store.tick();
      ReportRequest all = ReportRequest.of(Scope.ALL).limit(10);
      assertThat(store.live("run-1", all).sessionSummary()).containsEntry("running", 1);
      sender.span(10, 1, 0, "generate", 600, 695).send();
      awaitSpans(store, 2);
      assertThat(store.live("run-1", all).sessionSummary()).containsEntry("running", 1);
      sender.span(11, 1, 0, "generate", 600, 696).send();
      awaitSpans(store, 3);
      assertThat(store.live("run-1", all).sessionSummary())
          .containsEntry("running", 0)
          .containsEntry("queued", 1);
      assertThat(query(store, "select count(*) from spans where name = '(not yet seen)'"))
          .containsExactly("0");
    }
  }

  /** A span of a trace that names no session, in an op of another process. */
  @Test
  void whatContinuesAnOpInAnotherProcessIsNoSession() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(9, 2, 1, "remote.child", 91, 92).send();
      awaitSpans(store, 1);
      sender.span(9, 1, 0, "train.step", 90, 95).attribute("rl.kind", "op").send();
      awaitSpans(store, 2);
      assertThat(query(store, "select session from sessions")).isEmpty();
      assertThat(query(store, "select name, lane from spans order by name"))
          .containsExactly("remote.child|train.step", "train.step|train.step");
    }
  }

  /** train.step around train.forward had self = total, and shares added up to 123 %. */
  @Test
  void trainForwardInsideTrainStepIsNotCountedTwice() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(9, 2, 1, "train.forward", 91, 94).attribute("rl.kind", "op").send();
      sender
          .span(9, 1, 0, "train.step", 90, 95)
          .attribute("rl.kind", "op")
          .attribute("rl.train_step", 3)
          .send();
      awaitSpans(store, 2);
      assertThat(
              query(
                  store,
                  "select name, lane, self_ns // 1000000000, batch from spans order by name"))
          .containsExactly(
              "train.forward|train.step|3|train_step=3", "train.step|train.step|2|train_step=3");
    }
  }

  /** XTuner's tracer knows no parents in other processes: the outermost span got all time. */
  @Test
  void engineGenerateInsideASampleByTimeHasItsOwnTimeInItsSession() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender
          .begin("run-1", "i-1")
          .attribute("rollscope.source", "xtuner")
          .span(9, 1, 0, "agent_loop.generate_sample", 60, 70)
          .attribute("rl.session.id", "s")
          .span(9, 2, 0, "engine.generate", 61, 66)
          .attribute("rl.session.id", "s")
          .send();
      awaitSpans(store, 2);
      for (int sealed = 0; sealed < 2; sealed++) {
        StoredRun run =
            new StoredRun(store, new Reports(store.snapshots(), "store"), "run-1", "store");
        assertThat(run.session("s", ReportRequest.of(Scope.ALL)).orElseThrow().stages())
            .extracting(s -> s.stage() + " " + s.selfS())
            .containsExactlyInAnyOrder("agent_loop.generate_sample 5.0", "engine.generate 5.0");
        if (sealed == 0) {
          seal(store);
        }
      }
    }
  }

  /** The records of a process overtake each other on their way: a retry after its goodbye. */
  @Test
  void anEndedProcessStaysDeadWhenItsOlderRecordsComeLate() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      Sign end = new Sign(Sender.origin("i-1"), "run-1", true, Sender.at(95), 1, 0, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(end));
      await(() -> store.numbers().beats() == 1);
      sender.span(7, 1, 0, "generate", 90, -1).send();
      Sign beat = new Sign(Sender.origin("i-1"), "run-1", false, Sender.at(94), 1, 0, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(beat));
      await(() -> store.numbers().beats() == 2);
      assertThat(status(store)).isEqualTo("lost");
      sender.span(8, 1, 0, "generate", 90, 96).send();
      awaitSpans(store, 1);
      assertThat(query(store, "select status from sessions order by status"))
          .containsExactly("completed", "running");
    }
  }

  /** Its process said goodbye: hotspots of a run of a second rose by a second every second. */
  @Test
  void lostWorkEndsWithTheRecordsOfItsProcessAndNeverGrows() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(7, 1, 0, "generate", 90, -1).attribute("rl.kind", "session").send();
      sender.span(7, 2, 1, "turn", 91, -1).send();
      Sign end = new Sign(Sender.origin("i-1"), "run-1", true, Sender.at(95), 1, 0, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(end));
      await(() -> store.numbers().beats() == 1);
      for (int i = 0; i < 2; i++) {
        assertThat(
                query(
                    store,
                    "select name, outcome, end_ns - start_ns, self_ns from spans order by name"))
            .containsExactly(
                "generate|lost|" + 5 * Sender.SECOND + "|0",
                "turn|lost|" + 4 * Sender.SECOND + "|" + 4 * Sender.SECOND);
        assertThat(query(store, "select status, wall_ns from sessions"))
            .containsExactly("lost|" + 5 * Sender.SECOND);
        clock.addAndGet(100 * Sender.SECOND);
        store.tick();
      }
    }
  }

  /** A node dies: its beats stop, and what it had open is lost; then it turns out to live. */
  @Test
  void openSpansOfASilentProcessAreLostUntilItIsHeardAgain() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(7, 1, 0, "generate", 90, -1).send();
      Sign beat = new Sign(Sender.origin("i-1"), "run-1", false, Sender.at(95), 1, 3, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(beat));
      await(() -> store.numbers().beats() == 1);
      clock.addAndGet(30 * Sender.SECOND);
      assertThat(status(store)).isEqualTo("running");
      clock.addAndGet(Sender.SECOND);
      assertThat(status(store)).isEqualTo("lost");
      assertThat(query(store, "select outcome from spans")).containsExactly("lost");
      sender.sendLogs(List.of(), List.of(beat));
      await(() -> store.numbers().beats() == 2);
      assertThat(status(store)).isEqualTo("running");
      Sign end = new Sign(Sender.origin("i-1"), "run-1", true, Sender.at(131), 1, 5, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(end));
      await(() -> store.numbers().beats() == 3);
      assertThat(status(store)).isEqualTo("lost");
      assertThat(store.live("run-1", ReportRequest.of(Scope.ALL).limit(1)).dropped())
          .containsEntry("spans", 5L);
    }
  }

  @Test
  void workersAreAliveAsLongAsTheyBeat() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.span(7, 1, 0, "generate", 90, -1).attribute("rl.worker.role", "rollout").send();
      sender
          .begin("run-1", "i-2")
          .span(8, 1, 0, "train", 80, 95)
          .attribute("rl.worker.role", "trainer")
          .attribute("rl.batch.id", "b-1")
          .attribute("rl.train_step", 4)
          .failed("OOM", "no memory", 95)
          .send();
      Sign beat = new Sign(Sender.origin("i-1"), "run-1", false, Sender.at(95), 1, 0, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(beat));
      await(() -> store.numbers().beats() == 1);
      awaitSpans(store, 1);
      long now = (clock.get() - Sender.T0) / Sender.SECOND;
      LiveReport live = store.live("run-1", ReportRequest.of(Scope.ALL).limit(10));
      assertThat(live.workers())
          .containsExactly(
              new LiveReport.WorkerLine(
                  "[rollout]", 1, now - 90.0, Sender.at(90) / 1e9, "alive", 0, 0),
              new LiveReport.WorkerLine("[trainer]", 0, null, Sender.at(95) / 1e9, null, 1, 1));
      assertThat(live.batch())
          .isEqualTo(new LiveReport.BatchLine("b-1", 4L, Sender.at(80) / 1e9, 1, 1));
      assertThat(live.finishedLastMinute()).isEqualTo(1);
      clock.addAndGet(16 * Sender.SECOND);
      assertThat(stateOfFirst(store)).isEqualTo("silent");
      clock.addAndGet(15 * Sender.SECOND);
      assertThat(stateOfFirst(store)).isEqualTo("lost");
      clock.addAndGet(60 * Sender.SECOND);
      assertThat(store.live("run-1", ReportRequest.of(Scope.ALL).limit(10)).finishedLastMinute())
          .isZero();
    }
  }

  /** “0 sessions lost” of six; and the line went when the rank was started again. */
  @Test
  void aDeadProcessStaysListedWithWhatItTookAfterARestartOfTheRankAndOfTheServer()
      throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      for (int session = 1; session <= 6; session++) {
        sender
            .span(session, session, 0, "generate", 90, -1)
            .attribute("rl.session.id", "s-" + session)
            .attribute("rl.worker.role", "rollout")
            .attribute("rl.batch.id", "b-" + session % 2);
      }
      sender.send();
      sign(sender, "i-1", 95);
      await(() -> store.numbers().beats() == 1);
      clock.addAndGet(31 * Sender.SECOND);
      sign(sender, "i-2", 130);
      await(() -> store.numbers().beats() == 2);
      assertThat(live(store).sessionSummary()).containsEntry("lost", 6);
      assertThat(live(store).taskSummary().currentStageCounts()).isEmpty();
      assertDead(store);
      clock.addAndGet(90_000 * Sender.SECOND);
      seal(store);
      assertDead(store);
    }
    try (Store store = open()) {
      assertDead(store);
    }
  }

  /** After a restart the board showed the step before: lost work was heard of until its end. */
  @Test
  void theBatchOfTheWorkThatWasLostLastIsTheNewestBeforeAndAfterARestart() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.begin("run-1", "i-2").span(1, 1, 0, "generate", 80, 92);
      sender.attribute("rl.session.id", "s-1").attribute("rl.batch.id", "b-1").send();
      sender.begin("run-1", "i-1").span(2, 2, 0, "generate", 85, -1);
      sender.attribute("rl.session.id", "s-2").attribute("rl.batch.id", "b-2").send();
      sign(sender, "i-1", 95);
      await(() -> store.numbers().beats() == 1);
      clock.addAndGet(31 * Sender.SECOND);
      assertNewest(store);
    }
    try (Store store = open()) {
      clock.addAndGet(31 * Sender.SECOND);
      assertNewest(store);
    }
  }

  private static void assertNewest(Store store) {
    LiveReport live = store.live("run-1", ReportRequest.of(Scope.ACTIVE).limit(10));
    assertThat(live.sessionSummary()).containsEntry("total", 1).containsEntry("lost", 1);
  }

  private static void sign(Sender sender, String instance, double at) {
    Sign beat = new Sign(Sender.origin(instance), "run-1", false, Sender.at(at), 1, 0, 0, 0, 0, 0);
    sender.sendLogs(List.of(), List.of(beat));
  }

  private static LiveReport live(Store store) {
    return store.live("run-1", ReportRequest.of(Scope.ALL).limit(10));
  }

  private static void assertDead(Store store) {
    assertThat(live(store).processes()).hasSize(1);
    LiveReport.ProcessLine dead = live(store).processes().get(0);
    assertThat(dead.state()).isEqualTo("lost");
    assertThat(dead.role()).isEqualTo("rollout");
    assertThat(dead.sinceS()).isEqualTo(Sender.at(95) / 1e9);
    assertThat(dead.sessions()).isEqualTo(6);
    assertThat(dead.batches()).containsExactlyInAnyOrder("b-0", "b-1");
  }

  private static String stateOfFirst(Store store) {
    return store.live("run-1", ReportRequest.of(Scope.ALL).limit(10)).workers().get(0).state();
  }

  /** What happened long ago is no news, when it comes in; a beat is. */
  @Test
  void anImportedRunIsNotLive() throws Exception {
    clock.set(Sender.at(1000));
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.begin("old", "i-1").span(1, 1, 0, "generate", 0, 50).send();
      sender.begin("crashed", "i-1").span(2, 1, 0, "generate", 0, -1).send();
      sender.begin("new", "i-1").span(3, 1, 0, "generate", 990, 995).send();
      awaitSpans(store, 2);
      await(() -> store.runs().size() == 3);
      assertThat(states(store))
          .containsEntry("old", "finished")
          .containsEntry("crashed", "ended")
          .containsEntry("new", "live");
      clock.addAndGet(61 * Sender.SECOND);
      assertThat(states(store)).containsEntry("new", "finished");
      Sign beat =
          new Sign(Sender.origin("i-1"), "crashed", false, Sender.at(1060), 1, 0, 0, 0, 0, 0);
      sender.sendLogs(List.of(), List.of(beat));
      await(() -> store.numbers().beats() == 1);
      assertThat(states(store)).containsEntry("crashed", "live");
    }
  }

  /** A parent that an old run does not have is not what its session is doing until now. */
  @Test
  void theTimeOfAnImportedSessionEndsWithItsRun() throws Exception {
    clock.set(Sender.at(100_000));
    try (Store store = open()) {
      new Sender(store, clock).span(9, 2, 1, "generate", 90, 95).send();
      awaitSpans(store, 1);
      assertThat(query(store, "select wall_ns, open_count from sessions"))
          .containsExactly(5 * Sender.SECOND + "|1");
      Question question = Question.of("run-1", Scope.ALL, store.nowOf("run-1"));
      assertThat(new Reports(store.snapshots(), "test").hotspots(question).stageStats())
          .singleElement()
          .satisfies(stage -> assertThat(stage.share()).isEqualTo(1));
    }
  }

  private static Map<String, String> states(Store store) {
    return store.runs().stream().collect(Collectors.toMap(RunSummary::run, RunSummary::state));
  }

  private static String status(Store store) {
    return store.live("run-1", ReportRequest.of(Scope.ALL).limit(10)).rows().get(0).status();
  }

  /** A span that names no run waits for one of its trace that does. */
  @Test
  void theRunOfATraceIsKnownAsSoonAsAnySpanNamesIt() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      sender.begin(null, "vllm-1").span(3, 2, 1, "llm_request", 1, 2).send();
      awaitSpans(store, 1);
      assertThat(query(store, "select distinct run from spans")).containsExactly("trainer");
      clock.addAndGet(60 * Sender.SECOND);
      sender.span(3, 1, 0, "rollout", 0, 3).send();
      awaitSpans(store, 2);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(query(store, "select distinct run from spans")).containsExactly("run-1");
      assertThat(store.runs()).extracting(RunSummary::run).containsExactly("run-1");
    }
  }

  @Test
  void aDeletedRunIsGoneAndStaysGone() throws Exception {
    try (Store store = open()) {
      Sender sender = new Sender(store, clock);
      oneSession(sender);
      sender.begin("run-2", "i-2").span(20, 1, 0, "rollout", 0, 1).send();
      sender.begin("run-2", "i-2").span(21, 1, 0, "rollout", 90, -1).send();
      awaitSpans(store, 4);
      seal(store);
      assertThat(store.deleteRun("run-2")).isEqualTo(2);
      clock.addAndGet(2 * Sender.SECOND);
      assertThat(query(store, "select run, count(*) from spans group by run"))
          .containsExactly("run-1|3");
      assertThat(store.runs()).extracting(RunSummary::run).containsExactly("run-1");
    }
    try (Store store = open()) {
      assertThat(query(store, "select run, count(*) from spans group by run"))
          .containsExactly("run-1|3");
      assertThat(store.runs()).extracting(RunSummary::run).containsExactly("run-1");
    }
  }

  /** A training loop that forgot to end its state: the next one says so. */
  @Test
  void statesThatOverlapAreToldOnTheirLane() throws Exception {
    try (Store store = open()) {
      new Sender(store, clock)
          .span(1, 1, 0, "rollout", 0, 10)
          .attribute("rl.kind", "state")
          .attribute("rl.lane", "trainer_0")
          .span(2, 2, 0, "train", 5, 12)
          .attribute("rl.kind", "state")
          .attribute("rl.lane", "trainer_0")
          .attribute("rl.state.overlaps", "rollout")
          .send();
      await(() -> store.numbers().spans() == 2);

      TimelineReport lanes =
          new Reports(store.snapshots(), "source")
              .timeline(
                  Question.of("run-1", Scope.ALL, clock.get()),
                  new Timeline.Window(null, null, TimelineReport.By.LANE, 10));
      assertThat(lanes.lanes()).containsExactly("trainer_0");
      assertThat(lanes.overlapped()).containsExactly("rollout");
      assertThat(lanes.overlaps()).containsExactly(-1, 0);
    }
  }
}
