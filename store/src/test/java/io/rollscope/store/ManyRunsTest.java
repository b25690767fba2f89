package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.RunSummary;
import io.rollscope.store.disk.RealDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sender that names a run per sample must not make questions about other runs slow. */
class ManyRunsTest {
  private static final int RUNS = 5_000;

  @TempDir Path data;

  @Test
  void aQuestionLooksOnlyAtTheRunsItIsAbout() throws Exception {
    AtomicLong clock = new AtomicLong(Sender.at(10_000));
    StoreOptions options =
        new StoreOptions(
            data, new RealDisk(), clock::get, null, 1_000, 100_000, TestStore.SEAL_AFTER);
    try (TestStore store = TestStore.open(options, clock)) {
      Sender sender = store.sender();
      for (int i = 0; i < RUNS; i++) {
        sender.span(i + 1, 1, 0, "generate", i, i + 1).attribute("rl.run.id", "run-" + i);
      }
      sender.send();
      store.awaitSpans(RUNS);

      List<RunSummary> all = store.store().runs();
      assertThat(all).hasSize(RUNS);
      assertThat(all.get(0).run()).isEqualTo("run-" + (RUNS - 1));
      assertThat(store.store().runs(run -> true, 10, 5)).isEqualTo(all.subList(10, 15));
      assertThat(store.store().runs(run -> run.endsWith("99"), 1, 1))
          .extracting(RunSummary::run)
          .containsExactly("run-4899");
      assertThat(store.store().run("run-7")).contains(all.get(RUNS - 1 - 7));
      assertThat(store.store().run("run-" + RUNS)).isEmpty();
      assertThat(store.store().figures(3)).hasSize(3);
    }
  }
}
