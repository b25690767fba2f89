package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A weight sync that does not end, a disk that all write to. */
class GlobalStallTest {

  /** Two engines serve four calls of 8 s at a time until all stop. */
  private static OpenRun run(double stopped) {
    OpenRun run = new OpenRun();
    for (int slot = 0; slot < 8; slot++) {
      String engine = "engine:" + slot % 2;
      double from = slot;
      for (; from + 8 <= stopped; from += 8) {
        run.session("s" + slot + "-" + (int) from, "t" + slot + "-" + (int) from, 1)
            .call("generate", engine, from, from + 8);
      }
      run.session("open-" + slot, "u" + slot, 1).open("generate", engine, from);
    }
    return run.beat("engine:0", "h0", 400).beat("engine:1", "h1", 400);
  }

  /** Weights are synced every 50 s, in 2 s. */
  private static OpenRun synced(double stopped) {
    OpenRun run = run(stopped);
    for (int step = 0; step < 6; step++) {
      run.lane("trainer:0", "weight_sync", (long) step, step * 50, step * 50 + 2.0);
    }
    return run;
  }

  @Test
  void whatBeganAtThatInstantIsNamed() {
    OpenRun run = synced(300);
    run.lane("trainer:0", "weight_sync", 6L, 300.5, null);

    assertThat(run.found()).containsExactly("open global_stall/weight_sync/1");
    assertThat(run.first().sentence())
        .isEqualTo(
            "All 8 open calls on 2 workers have stood still for 1 min 40 s, when weight_sync began"
                + " on trainer:0 (usually at most 2.0 s, now 1 min 40 s).");
    assertThat(run.first().victims().sessions()).isEqualTo(8);
  }

  @Test
  void withoutAKnownCauseItIsTheRun() {
    assertThat(run(300).found()).containsExactly("open global_stall/run/1");
  }

  @Test
  void aPauseIsNoStall() {
    assertThat(run(392).found()).isEmpty();
  }

  /** Synchronous: nothing of the sessions is open while weights are synced. */
  @Test
  void aStateThatStallsWhileAllSessionsWaitIsFound() {
    OpenRun run = new OpenRun();
    for (int step = 0; step < 4; step++) {
      run.lane("trainer:0", "weight_sync", (long) step, step * 50, step * 50 + 2.0);
    }
    run.lane("trainer:0", "weight_sync", 4L, 200, null).beat("trainer:0", "h", 300);

    assertThat(run.found()).containsExactly("open global_stall/weight_sync/1");
    assertThat(run.first().steps()).containsExactly(4L);
    assertThat(run.first().cost().wallS()).isEqualTo(98);
  }

  @Test
  void oneLongSyncStaysInTheHistory() {
    OpenRun run = new OpenRun();
    for (int step = 0; step < 6; step++) {
      double took = step == 3 ? 40 : 2;
      run.lane("trainer:0", "weight_sync", (long) step, step * 50, step * 50 + took);
    }

    assertThat(run.found()).containsExactly("closed global_stall/weight_sync/1");
  }

  /** Writing a checkpoint takes long by design, and a wait is the consequence of something. */
  @Test
  void checkpointsAndWaitsAreNoStalls() {
    OpenRun run = new OpenRun();
    for (int step = 0; step < 6; step++) {
      double took = step == 3 ? 40 : 2;
      run.lane("trainer:0", "save_checkpoint", (long) step, step * 100, step * 100 + took)
          .lane("trainer:0", "wait_rollout", (long) step, step * 100 + 50, step * 100 + 50 + took);
    }

    assertThat(run.found()).isEmpty();
  }
}
