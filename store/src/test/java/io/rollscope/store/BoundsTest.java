package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.hot.HotStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More of something than anybody should send: it takes seconds, and memory is free afterwards. */
@Timeout(300)
@Tag("slow")
class BoundsTest {
  private static final int PER_REQUEST = 5_000;
  private static final int NAMES = Boolean.getBoolean("rollscope.soak") ? 1_000_000 : 50_000;

  private final AtomicLong clock = new AtomicLong(Sender.at(100_000));
  @TempDir Path data;

  private TestStore open(int maxOpenSpans) throws Exception {
    return TestStore.open(
        new StoreOptions(
            data, new RealDisk(), clock::get, null, maxOpenSpans, 300_000, Duration.ofSeconds(30)),
        clock);
  }

  @Test
  void openSpansBeyondTheLimitAreRefusedAndCounted() throws Exception {
    try (TestStore store = open(100)) {
      Sender sender = store.sender();
      for (int i = 1; i <= 150; i++) {
        sender.span(1, i, 0, "step", 1, -1);
      }
      assertThat(sender.send().refused()).isEqualTo(Map.of(HotStore.OPEN_LIMIT, 50L));
      await(() -> store.store().numbers().openSpans() == 100);
      assertThat(store.store().numbers().refused()).containsEntry(HotStore.OPEN_LIMIT, 50L);
      assertThat(sender.span(2, 1, 0, "step", 1, -1).send().refused()).hasSize(1);
      for (int i = 1; i <= 150; i++) {
        sender.span(1, i, 0, "step", 1, 2);
      }
      assertThat(sender.send().refused()).isEmpty();
      store.awaitSpans(150);
      assertThat(sender.span(3, 1, 0, "step", 1, -1).send().refused()).isEmpty();
      await(() -> store.store().numbers().openSpans() == 1);
    }
  }

  @Test
  void aSessionMayHaveFiftyThousandSpans() throws Exception {
    int spans = 50_000;
    try (TestStore store = open(1_000)) {
      for (int from = 1; from < spans; from += PER_REQUEST) {
        Sender sender = store.sender();
        for (int id = from; id < from + PER_REQUEST; id++) {
          sender.span(1, id, id == 1 ? 0 : 1, "step", id == 1 ? 0 : id, id == 1 ? spans : id + 0.5);
          if (id == 1) {
            sender.attribute("rl.kind", "session").attribute("rl.session.id", "s-1");
          }
        }
        sender.send();
      }
      store.awaitSpans(spans);
      store.sealAll();
      assertThat(store.query("select session, span_count, open_count from sessions"))
          .containsExactly("s-1|50000|0");
      assertThat(store.query("select sum(self_ns) from spans"))
          .isEqualTo(
              store.query(
                  "select wall_ns - queue_ns - gap_ns - barrier_ns - unaccounted_ns from sessions"));
      store.sender().span(1, spans + 1, 1, "late", 10, 11).send();
      store.awaitSpans(spans + 1L);
      store.sealAll();
      assertThat(store.query("select span_count from sessions")).containsExactly("50001");
    }
  }

  @Test
  void tinyTracesLeaveMemory() throws Exception {
    int traces = 25_000; // More than the board lists.
    try (TestStore store = open(1_000)) {
      for (int from = 1; from < traces; from += PER_REQUEST) {
        Sender sender = store.sender();
        for (int trace = from; trace < from + PER_REQUEST; trace++) {
          sender.span(trace, 1, 0, "tick", 1, 2);
        }
        sender.send();
      }
      store.awaitSpans(traces);
      store.sealAll();
      assertThat(store.query("select count(*), sum(span_count) from sessions"))
          .containsExactly(traces + "|" + traces);
      assertThat(store.store().numbers().traces()).isZero();
      assertThat(store.store().numbers().sessions()).isZero();
      assertThat(store.live("run-1").sessionSummary()).containsEntry("total", traces);
      ReportRequest all = ReportRequest.of(Scope.ALL).limit(traces);
      assertThat(store.store().live("run-1", all).rows()).hasSize(20_000);
    }
  }

  /** Somebody puts an id into the name of the span, and another one into its stage. */
  @Test
  void everySpanWithANameOfItsOwnMakesNoStageEach() throws Exception {
    try (TestStore store = open(1_000)) {
      for (int from = 0; from < NAMES; from += PER_REQUEST) {
        Sender sender = store.sender();
        for (int i = from; i < from + PER_REQUEST; i++) {
          sender.span(1 + i / 100, i + 1, 0, "request-" + i, 1, 2).attribute("rl.stage", "s-" + i);
        }
        sender.send();
        if (from % 250_000 == 0) {
          store.pass(10);
          store.tick();
        }
      }
      store.awaitSpans(NAMES);
      store.passUntil(60, () -> store.store().numbers().hotSpans() == 0);
      assertThat(store.query("select count(*), count(distinct stage) from spans"))
          .containsExactly(NAMES + "|" + NAMES);
      assertThat(store.store().numbers().sessions()).isZero();
      Sender sender = store.sender();
      for (String stage : List.of("s-0", "one-more")) {
        for (int i = 1; i <= 30; i++) {
          sender.span(NAMES + stage.length(), i, 0, stage, 1, 2).attribute("rl.stage", stage);
        }
        sender.span(NAMES + stage.length(), 99, 0, stage, 1, -1).attribute("rl.stage", stage);
      }
      sender.send();
      store.awaitSpans(NAMES + 60L);
      // Only so many stages, the first ones, have a usual duration.
      assertThat(store.live("run-1").openSpanSummaries())
          .filteredOn(summary -> summary.usualP95S() != null)
          .extracting(LiveReport.OpenSpanSummary::stage)
          .containsExactly("s-0");
    }
  }
}
