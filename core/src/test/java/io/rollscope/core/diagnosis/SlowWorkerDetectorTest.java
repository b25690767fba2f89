package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowWorkerDetectorTest {

  /** Engine 2 is slow from step 3 on. */
  private static class OneSlow extends MadeSteps {
    final double times;
    final int until;

    OneSlow(double times, int until) {
      this.times = times;
      this.until = until;
    }

    @Override
    double pace(int step, int engine, int task, int sibling) {
      boolean slow = engine == 2 && step >= 3 && step < until;
      return super.pace(step, engine, task, sibling) * (slow ? times : 1);
    }
  }

  private static List<Cause> found(MadeSteps run) {
    return MadeTraining.detect(run.made(), new SlowWorkerDetector()).found();
  }

  @Test
  void aWorkerThatNeedsLongerThanItsPeersIsFound() {
    OneSlow run = new OneSlow(2, 6);
    Cause cause = found(run).get(0);
    assertThat(found(run)).hasSize(1);
    assertThat(cause.subject.type()).isEqualTo("worker");
    assertThat(cause.subject.id()).isEqualTo("engine:2");
    assertThat(cause.stage).isEqualTo("engine.generate");
    assertThat(cause.steps).containsExactly(3L, 4L, 5L);
    assertThat(cause.isOpen()).isTrue();
    assertThat(cause.sentence)
        .startsWith(
            "engine:2 needs 2.0 × as long per token in engine.generate as the 3 other workers"
                + " (0.20 s against 0.10 s), in steps 3–5. It costs about ");
    assertThat(cause.evidence.get(0).unit()).isEqualTo("s/token");
  }

  @Test
  void itsCostIsWhatTheRunIsLongerBy() {
    OneSlow run = new OneSlow(2, 6);
    double truth = run.costOf(new MadeSteps());
    assertThat(truth).isGreaterThan(30);
    Cause cause = found(run).get(0);
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.02 * truth));
    assertThat(cause.cost.modelError()).isLessThan(1e-6);
  }

  @Test
  void siblingsThatWaitAreVictims() {
    Cause cause = found(new OneSlow(2, 6)).get(0);
    // In three steps six groups of four, of each one at the slow engine and three before it.
    assertThat(cause.victims.tasks()).isEqualTo(18);
    assertThat(cause.victims.sessions()).isEqualTo(54);
  }

  @Test
  void oneThatIsWellAgainIsClosed() {
    Cause cause = found(new OneSlow(2, 5)).get(0);
    assertThat(cause.isOpen()).isFalse();
    assertThat(cause.steps).containsExactly(3L, 4L);
    assertThat(cause.sentence).startsWith("engine:2 needed 2.0 ×");
  }

  @Test
  void aHealthyRunHasNone() {
    assertThat(found(new MadeSteps())).isEmpty();
  }

  /** The router sends long prompts to one engine, which takes longer for them as any would. */
  @Test
  void aWorkerThatGotLongerPromptsIsNotSlow() {
    assertThat(
            found(
                new MadeSteps() {
                  @Override
                  long prompt(int step, int task, int sibling) {
                    return engine(step, task, sibling) == 2 ? 30_000 : 300;
                  }

                  @Override
                  double readingPace() {
                    return 0.0005;
                  }
                }))
        .isEmpty();
  }

  /** One engine writes the long answers: nobody is slow per token. */
  @Test
  void aWorkerThatWroteMoreIsNotSlow() {
    assertThat(
            found(
                new MadeSteps() {
                  @Override
                  long tokens(int step, int task, int sibling) {
                    boolean here = engine(step, task, sibling) == 2;
                    return super.tokens(step, task, sibling) * (here ? 5 : 1);
                  }
                }))
        .isEmpty();
  }

  /** Compilation, cold caches: one engine is later than the others in the first step. */
  @Test
  void theFirstStepIsAWarmUp() {
    assertThat(
            found(
                new MadeSteps() {
                  @Override
                  double pace(int step, int engine, int task, int sibling) {
                    boolean cold = step == 0 && engine == 1;
                    return super.pace(step, engine, task, sibling) * (cold ? 5 : 1);
                  }
                }))
        .isEmpty();
  }

  private static class TwoEngines extends OneSlow {
    TwoEngines(double times) {
      super(times, 6);
    }

    @Override
    int engines() {
      return 2;
    }

    @Override
    double pace(int step, int engine, int task, int sibling) {
      return super.pace(step, engine == 1 ? 2 : 0, task, sibling);
    }
  }

  @Test
  void ofTwoWorkersOneIsCalledSlowOnlyFarBeyondTheOther() {
    assertThat(found(new TwoEngines(1.3))).isEmpty();
    Cause cause = found(new TwoEngines(2)).get(0);
    assertThat(cause.subject.id()).isEqualTo("engine:1");
    assertThat(cause.sentence).contains("as the other worker (0.20 s against 0.10 s)");
  }

  @Test
  void oneWorkerAloneCannotBeJudged() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 15, 17);
    run.session(1, "a", 0).call("judge", 0, 10);
    assertThat(MadeTraining.detect(run, new SlowWorkerDetector()).notJudged())
        .containsExactly(
            new NotJudged(
                "slow_worker", "no stage has comparable calls of two or more workers in a step"));
  }
}
