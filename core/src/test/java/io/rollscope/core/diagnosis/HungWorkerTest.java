package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import org.junit.jupiter.api.Test;

/** A collective that waits for a lost peer: the process beats, and no call of it ends. */
class HungWorkerTest {
  private static final int ENGINES = 3;

  /** Each of three engines serves four calls of 8 s at a time, one after another. */
  private static OpenRun run(double hungFrom) {
    OpenRun run = new OpenRun();
    for (int engine = 0; engine < ENGINES; engine++) {
      for (int slot = 0; slot < 4; slot++) {
        double until = engine == 1 ? hungFrom : 400;
        double from = 2 * slot;
        for (; from + 8 <= until; from += 8) {
          session(run, engine, slot, from).call("generate", "engine:" + engine, from, from + 8);
        }
        session(run, engine, slot, from).open("generate", "engine:" + engine, from);
      }
      run.beat("engine:" + engine, "h" + engine, 400);
    }
    return run;
  }

  private static OpenRun.Session session(OpenRun run, int engine, int slot, double from) {
    String id = "s" + engine + "-" + slot + "-" + (int) from;
    return run.session(id, id, 1);
  }

  @Test
  void theWorkerIsNamedNotItsCalls() {
    OpenRun run = run(300);

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open hung_worker/engine:1/1");
    assertThat(found.sinceS()).isEqualTo(300);
    assertThat(found.stage()).isEqualTo("generate");
    assertThat(found.victims().sessions()).isEqualTo(4);
    assertThat(found.sentence())
        .isEqualTo(
            "engine:1 has ended nothing for 1 min 40 s with 4 calls open; its peers ended 50 each.");
  }

  @Test
  void aPauseAsLongAsACallIsNone() {
    assertThat(run(390).found()).isEmpty();
  }

  @Test
  void whereAllGoOnNothingIsFound() {
    assertThat(run(400).found()).isEmpty();
  }

  @Test
  void oneWorkerHasNoPeers() {
    OpenRun run = new OpenRun();
    run.session("a", "t", 1).open("generate", "engine:0", 0);

    assertThat(run.report().notJudged()).extracting(n -> n.kind()).contains("hung_worker");
  }
}
