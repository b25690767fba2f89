package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.store.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  private Store open() throws IOException {
    return Store.open(
        new StoreOptions(
            data, new RealDisk(), clock::get, null, 1_000, 1_000, Duration.ofSeconds(30)));
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within 20 s");
      }
      Thread.onSpinWait();
    }
  }

  private static void awaitSpans(Store store, long spans) {
    await(() -> store.numbers().spans() == spans);
  }

  private void seal(Store store) {
    long before = store.numbers().seals();
    clock.addAndGet(60 * Sender.SECOND);
    await(() -> store.numbers().seals() > before);
  }

  private static List<String> query(Store store, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = store.snapshots().take();
        Statement statement = connection.createStatement();
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
      LiveReport live = store.live(LiveQuery.of("run-1", Scope.ACTIVE, 10));
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
    LiveReport live = crashed.live(LiveQuery.of("run-1", Scope.ACTIVE, 10));
    assertThat(live.sessionSummary()).containsEntry("running", 1);
    assertThat(live.rows().get(0).stage()).isEqualTo("generate");
    assertThat(live.rows().get(0).openAgeS()).isEqualTo(60.0);
    assertThat(live.openSpanSummaries()).hasSize(1);
    crashed.close();
    try (Store store = open()) {
      assertThat(store.numbers().openSpans()).isEqualTo(2);
      new Sender(store, clock).span(5, 2, 1, "generate", 40, 90).send();
      awaitSpans(store, 1);
      assertThat(query(store, "select name, outcome from spans order by start_ns"))
          .containsExactly("rollout|open", "generate|ok");
    }
  }
}
