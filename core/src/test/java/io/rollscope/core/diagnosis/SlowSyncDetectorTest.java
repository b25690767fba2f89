package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SlowSyncDetectorTest {

  private static List<Cause> found(IntToDoubleFunction sync) {
    MadeSteps run =
        new MadeSteps() {
          @Override
          double sync(int step) {
            return sync.applyAsDouble(step);
          }
        };
    return MadeTraining.detect(run.made(), new SlowSyncDetector()).found();
  }

  @Test
  void aSyncThatTakesLongerThanBeforeIsFound() {
    Cause cause = found(step -> step < 2 ? 2 : 20).get(0);
    assertThat(cause.subject.type()).isEqualTo("stage");
    assertThat(cause.subject.id()).isEqualTo("weight_sync");
    assertThat(cause.steps).containsExactly(2L, 3L, 4L, 5L);
    assertThat(cause.cost.wallS()).isEqualTo(4 * 18.0, within(1e-6));
    assertThat(cause.sentence)
        .isEqualTo(
            "The weight sync takes 10 × as long as in other steps (20 s against 2.0 s), in steps 2–5."
                + " It costs about 18 s per step.");
  }

  @Test
  void aHealthyRunHasNone() {
    assertThat(found(step -> 2 + 0.2 * (step % 2))).isEmpty();
  }

  /** Every other step writes a checkpoint with its sync. */
  @Test
  void whatRecursIsHowTheRunIsMade() {
    assertThat(found(step -> step % 2 == 0 ? 2 : 6)).isEmpty();
  }

  @Test
  void aSyncThatTakesMostOfEachStepIsNamedWithoutACost() {
    Cause cause = found(step -> 30).get(0);
    assertThat(cause.cost.wallS()).isNull();
    assertThat(cause.sentence).startsWith("The weight sync takes 5");
  }

  @Test
  void withoutSyncsNothingIsJudged() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 15, 15).step(2, 15, 25, 30, 30);
    run.session(1, "a", 0).call("judge", 0, 10);
    assertThat(MadeTraining.detect(run, new SlowSyncDetector()).notJudged())
        .containsExactly(
            new NotJudged(
                "slow_sync", "the trainer's weight sync is not recorded in two steps or more"));
  }
}
