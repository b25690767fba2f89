package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody sets the machine's clock, or its battery is empty. */
class ClockJumpTest {
  private static final double HOUR = 3_600;
  private static final double DAY = 24 * HOUR;
  private static final String SPANS = "select session, count(*) from spans group by 1 order by 1";

  private final AtomicLong clock = new AtomicLong(Sender.at(10 * DAY));
  private final List<String> expected = new ArrayList<>();
  @TempDir Path data;
  @TempDir Path copy;

  private void send(TestStore store, int trace) {
    double now = (clock.get() - Sender.T0) / 1e9;
    store
        .sender()
        .span(trace, 1, 0, "rollout", now - 10, now - 9)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .send();
    expected.add("s-" + trace + "|1");
  }

  private void isWell(TestStore store) throws Exception {
    assertThat(store.store().health().ready()).isTrue();
    assertThat(store.store().numbers().sealFailures()).isZero();
    assertThat(store.query(SPANS)).isEqualTo(expected);
    assertThat(store.query("select session from sessions")).hasSize(expected.size());
    assertThat(store.live("run-1").sessionSummary()).containsEntry("total", expected.size());
  }

  @Test
  void nothingIsLostOrDoubledWhenTheClockJumps() throws Exception {
    double[] jumps = {-HOUR, DAY, -2 * DAY, 80 * 365 * DAY, -80 * 365 * DAY, 0};
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      int trace = 10;
      for (double jump : jumps) {
        send(store, trace++);
        store.tick();
        store.pass(jump);
        store.tick();
        send(store, trace++);
        store.tick();
        isWell(store);
        store.passUntil(20, () -> store.store().numbers().hotSpans() == 0);
        isWell(store);
      }
      send(store, trace);
      store.tick();
      killed = store.killed(copy);
    }
    clock.addAndGet(Math.round(-HOUR) * Sender.SECOND);
    try (TestStore store = TestStore.open(killed, clock)) {
      isWell(store);
      store.pass(2 * DAY);
      store.tick();
      isWell(store);
    }
  }
}
