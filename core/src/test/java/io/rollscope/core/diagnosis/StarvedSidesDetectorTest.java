package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class StarvedSidesDetectorTest {

  /** Two groups run at once, each begins when one before it has ended; each step takes one. */
  private static MadeTraining asynchronous(double rollout, double train) {
    MadeTraining run = new MadeTraining();
    double now = 0;
    int groups = 8;
    double[] ends = new double[groups];
    for (int g = 0; g < groups; g++) {
      double from = g == 0 ? 0 : g == 1 ? rollout / 2 : ends[g - 2];
      ends[g] = from + rollout;
      run.session(g, "t" + g, 0).call("judge", from, ends[g]);
      run.session(g, "t" + g, 1).call("judge", from, ends[g]);
    }
    for (int step = 0; step < groups; step++) {
      double ready = Math.max(now, ends[step]);
      run.step(step, now, ready, ready + train, ready + train + 1);
      now = ready + train + 1;
    }
    return run;
  }

  private static List<Cause> found(MadeTraining run) {
    return MadeTraining.detect(run, new StarvedSidesDetector()).found();
  }

  @Test
  void aTrainerThatWaitsMostOfItsTimeIsStarved() {
    // A group each 20 s, 6 s of training: it waits 14 s of 20.
    Cause cause = found(asynchronous(40, 5)).get(0);
    assertThat(cause.kind).isEqualTo(FindingKind.STARVED_TRAINER);
    assertThat(cause.subject.type()).isEqualTo("run");
    assertThat(cause.steps).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(cause.evidence.get(0).value()).isEqualTo(14, within(1e-6));
    assertThat(cause.sentence)
        .startsWith("The trainer waits for rollouts in 70 % of its time (14 s of 20 s per step)");
    assertThat(cause.cost.wallS()).isEqualTo(7 * 14.0, within(0.1));
  }

  @Test
  void enginesThatCouldGenerateTwiceAsMuchAreStarved() {
    // A group each 5 s, a step each 21 s.
    Cause cause = found(asynchronous(10, 20)).get(0);
    assertThat(cause.kind).isEqualTo(FindingKind.STARVED_ROLLOUT);
    assertThat(cause.sentence).startsWith("Engines wait for the trainer");
  }

  @Test
  void sidesThatFitAreNoFinding() {
    assertThat(found(asynchronous(30, 14))).isEmpty();
  }

  @Test
  void aSynchronousRunCannotBeJudged() {
    Causes causes = MadeTraining.detect(new MadeSteps().made(), new StarvedSidesDetector());
    assertThat(causes.found()).isEmpty();
    assertThat(causes.notJudged())
        .extracting("kind")
        .containsExactly("starved_trainer", "starved_rollout");
  }
}
