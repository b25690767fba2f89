package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.model.Status;
import org.junit.jupiter.api.Test;

/** Tasks become too easy: all samples of a group get the same reward, and teach nothing. */
class RejectsRisingTest {

  /** Six steps of twenty groups of two; from this step on every so-manieth group is rejected. */
  private static OpenRun run(int from, int every, String reason) {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 240; i++) {
      int group = i / 2;
      boolean no = group / 20 >= from && group % every == 0;
      run.session("s" + i, "t" + group, group / 20)
          .call("generate", "agent:0", group, group + 1)
          .decided(
              (double) group,
              group + 5.0,
              no ? Status.REJECTED : Status.ACCEPTED,
              no ? reason : null);
    }
    return run;
  }

  @Test
  void theStepsAndTheReasonAreNamed() {
    OpenRun run = run(3, 2, "no reward variance");

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open rejects_rising/run/1");
    assertThat(found.steps()).containsExactly(3L, 4L, 5L);
    assertThat(found.victims().sessions()).isEqualTo(60);
    assertThat(found.cost().wallS()).isNull();
    assertThat(found.sentence())
        .isEqualTo(
            "50 % of the samples are rejected or dropped (0.0 % before), mostly for: no reward"
                + " variance.");
  }

  @Test
  void aSteadyShareIsNoFinding() {
    assertThat(run(0, 2, "no reward variance").found()).isEmpty();
  }

  /** Those are judged by the age of their samples. */
  @Test
  void samplesThatAreTooOldAreAnotherCause() {
    assertThat(run(3, 2, "stale policy").found()).containsExactly("open stale_data/run/1");
  }
}
