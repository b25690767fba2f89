package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.model.Status;
import org.junit.jupiter.api.Test;

/** An engine gets no new weights: what it writes is dropped when it is older than allowed. */
class StaleDataTest {
  private static final String WHY = "stale: policy lag 3 > 2";

  /** Six steps of forty samples; from step 3 to this one every so-manieth is dropped. */
  private static OpenRun run(int to, int every, String reason) {
    OpenRun run = new OpenRun();
    for (int i = 0; i < 240; i++) {
      int step = i / 40;
      boolean no = step >= 3 && step <= to && i % every == 0;
      run.session("s" + i, "t" + i / 2, step)
          .call("generate", "agent:0", i, i + 2)
          .decided((double) i, i + 5.0, no ? Status.DROPPED : Status.ACCEPTED, no ? reason : null);
    }
    return run;
  }

  @Test
  void theStepsTheShareAndTheReasonAreNamed() {
    OpenRun run = run(5, 10, WHY);

    Finding found = run.first();

    assertThat(run.found()).containsExactly("open stale_data/run/1");
    assertThat(found.subject().type()).isEqualTo("run");
    assertThat(found.steps()).containsExactly(3L, 4L, 5L);
    assertThat(found.victims().sessions()).isEqualTo(12);
    assertThat(found.cost().wallS()).isNull();
    assertThat(found.cost().slotS()).isEqualTo(24);
    assertThat(found.sentence())
        .isEqualTo(
            "10 % of the samples are too old to be trained on, in steps 3–5, mostly for: stale:"
                + " policy lag 3 > 2.");
    assertThat(run.report().notJudged())
        .contains(new NotJudged("stale_data", "What old samples cost in time is not known."));
  }

  @Test
  void itIsOverWhenLaterStepsHaveNone() {
    OpenRun run = run(4, 10, WHY);

    assertThat(run.found()).containsExactly("closed stale_data/run/1");
    assertThat(run.first().steps()).containsExactly(3L, 4L);
    assertThat(run.first().untilS()).isEqualTo(195);
  }

  /** One group that hung comes too late. */
  @Test
  void fewSamplesAreNoFinding() {
    assertThat(run(3, 10, WHY).found()).isEmpty(); // 4 of them
    assertThat(run(5, 40, WHY).found()).isEmpty(); // 2.5 % of each step
  }

  /** Training overtakes the tail: its policy was new when it began. */
  @Test
  void samplesThatTookTwiceAsLongAsUsualAreATail() {
    OpenRun run = run(5, 40, WHY);
    for (int i = 0; i < 12; i++) {
      run.session("long" + i, "t" + i, 4)
          .call("generate", "agent:0", 160, 169)
          .decided(160.0, 170.0, Status.DROPPED, WHY);
    }

    assertThat(run.found()).isEmpty();
  }

  @Test
  void samplesThatAreDroppedForSomethingElseAreNotOld() {
    OpenRun run = run(5, 10, "time limit");

    assertThat(run.found()).isEmpty();
    assertThat(run.report().notJudged())
        .contains(
            new NotJudged(
                "stale_data",
                "no sample was dropped for its age, and how old those are that are used is not"
                    + " known"));
  }
}
