package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class SlowServiceDetectorTest {

  /** The judge takes ten times as long in some steps. */
  private static final class SlowJudge extends MadeSteps {
    final IntPredicate slow;
    final int steps;

    SlowJudge(int steps, IntPredicate slow) {
      this.steps = steps;
      this.slow = slow;
    }

    @Override
    int steps() {
      return steps;
    }

    @Override
    double judge(int step, int task, int sibling) {
      return super.judge(step, task, sibling) * (slow.test(step) ? 10 : 1);
    }
  }

  private static List<Cause> found(MadeSteps run) {
    return MadeTraining.detect(run.made(), new SlowServiceDetector()).found();
  }

  @Test
  void aStageThatIsSlowerForEverybodyIsFound() {
    SlowJudge run = new SlowJudge(6, step -> step >= 3);
    double truth = run.costOf(new MadeSteps());
    Cause cause = found(run).get(0);
    assertThat(found(run)).hasSize(1);
    assertThat(cause.subject.id()).isEqualTo("judge");
    assertThat(cause.steps).containsExactly(3L, 4L, 5L);
    assertThat(cause.isOpen()).isTrue();
    assertThat(cause.sentence)
        .startsWith("judge takes 10 × as long as in other steps (12 s against 1.2 s)");
    assertThat(cause.cost.wallS()).isEqualTo(truth, within(0.05 * truth));
  }

  @Test
  void oneThatIsFastAgainIsClosed() {
    Cause cause = found(new SlowJudge(6, step -> step == 2 || step == 3)).get(0);
    assertThat(cause.steps).containsExactly(2L, 3L);
    assertThat(cause.isOpen()).isFalse();
    assertThat(cause.sentence).startsWith("judge took 10 ×");
  }

  /** A fault at the start of the run that ends: only what follows tells that it was one. */
  @Test
  void oneThatWasSlowFromTheStartIsFound() {
    Cause cause = found(new SlowJudge(8, step -> step < 3)).get(0);
    assertThat(cause.steps).containsExactly(1L, 2L);
    assertThat(cause.isOpen()).isFalse();
  }

  @Test
  void aHealthyRunHasNone() {
    assertThat(found(new MadeSteps())).isEmpty();
  }

  @Test
  void theFirstStepIsAWarmUp() {
    assertThat(found(new SlowJudge(6, step -> step == 0))).isEmpty();
  }

  /** Every third step is an evaluation with another judge. */
  @Test
  void whatRecursIsHowTheRunIsMade() {
    assertThat(found(new SlowJudge(12, step -> step % 3 == 2))).isEmpty();
  }

  /** A dataset with a slow judge joins: another task name is not compared. */
  @Test
  void anotherDatasetIsNotASlowService() {
    assertThat(
            found(
                new MadeSteps() {
                  @Override
                  String taskName(int step, int task) {
                    return step >= 3 && task % 2 == 0 ? "code" : "math";
                  }

                  @Override
                  double judge(int step, int task, int sibling) {
                    boolean code = taskName(step, task).equals("code");
                    return super.judge(step, task, sibling) * (code ? 10 : 1);
                  }
                }))
        .isEmpty();
  }

  /** One engine of four: that is a slow worker. */
  @Test
  void oneWorkerIsNotEverybody() {
    assertThat(
            found(
                new MadeSteps() {
                  @Override
                  double pace(int step, int engine, int task, int sibling) {
                    boolean slow = engine == 2 && step >= 3;
                    return super.pace(step, engine, task, sibling) * (slow ? 4 : 1);
                  }
                }))
        .isEmpty();
  }
}
