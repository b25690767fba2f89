package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a metric point's attributes is a label. */
class PointLabelsTest {
  private static final String LABELS =
      "select name, train_step, labels::varchar from metrics order by name, train_step";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;

  @Test
  void theStepIsNoLabel() throws Exception {
    Map<String, Object> long19 = Map.of("rl.train_step", Long.MAX_VALUE);
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().sendGauge(Map.of("rl.train_step", 7L, "split", "val"), "a", 10, 1);
      store.sender().sendGauge(Map.of("rl.train_step", 8L), "b", 10, 1);
      store.sender().sendGauge(long19, "c", 10, 1);
      store.sender().sendGauge(Map.of("rl.train_step", "last"), "d", 10, 1);
      store.sender().sendGauge(Map.of("step", "7"), "e", 10, 1);
      TestStore.await(() -> store.store().numbers().points() == 5);
      String[] expected = {
        "a|7|{split=val}",
        "b|8|{}",
        "c|9223372036854775807|{}",
        "d|null|{rl.train_step=last}",
        "e|null|{step=7}"
      };
      assertThat(store.query(LABELS)).containsExactly(expected);
      store.seal();
      assertThat(store.query(LABELS)).containsExactly(expected);
    }
  }
}
