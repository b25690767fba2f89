package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.view.Scope;
import org.junit.jupiter.api.Test;

class RunStepsTest {

  @Test
  void aStepIsWhatTheTrainerDidForIt() {
    MadeTraining run = new MadeTraining().step(7, 0, 10, 15, 17).step(8, 17, 40, 45, 46);
    run.session(7, "a", 0).call("judge", 0, 10);
    run.session(8, "b", 0).call("judge", 18, 40);
    RunSteps steps = run.work().steps();
    assertThat(steps.areRecorded()).isTrue();
    assertThat(steps.count()).isEqualTo(2);
    assertThat(steps.number(1)).isEqualTo(8);
    assertThat(steps.get(1).waitedNs()).isEqualTo(23_000_000_000L);
    assertThat(steps.get(1).wallNs()).isEqualTo(29_000_000_000L);
    assertThat(steps.get(1).syncNs()).isEqualTo(1_000_000_000L);
    assertThat(steps.get(1).ended()).isTrue();
    assertThat(steps.isWarmUp(0)).isTrue();
    assertThat(steps.isWarmUp(1)).isFalse();
    assertThat(steps.isAsynchronous()).isFalse();
  }

  /** A trace that ends while the trainer waits says nothing of the end of that step. */
  @Test
  void aStepThatEndsWithAWaitIsNotOver() {
    MadeTraining run = new MadeTraining().step(1, 0, 10, 15, 17).step(2, 17, 40, 40, 40);
    run.session(1, "a", 0).call("judge", 0, 10);
    RunSteps steps = run.work().steps();
    assertThat(steps.get(0).ended()).isTrue();
    assertThat(steps.get(1).ended()).isFalse();
  }

  /** XTuner's producer traces have batches and no trainer. */
  @Test
  void withoutATrainerABatchIsAStep() {
    TableBuilder run = new TableBuilder();
    run.session("a").steps(4, null, null).span("x", 1, 5);
    run.session("b").steps(4, null, null).span("x", 2, 9);
    run.session("c").steps(6, null, null).span("x", 11, 12);
    RunSteps steps = RunWorkBuilder.of(run.table(), Scope.ALL).steps();
    assertThat(steps.areRecorded()).isFalse();
    assertThat(steps.count()).isEqualTo(2);
    assertThat(steps.number(0)).isEqualTo(4);
    assertThat(steps.get(0).wallNs()).isEqualTo(8_000_000_000L);
    assertThat(steps.number(1)).isEqualTo(6);
  }

  @Test
  void aRunWithoutSessionsHasNoSteps() {
    RunSteps steps = new MadeTraining().work().steps();
    assertThat(steps.count()).isZero();
    assertThat(steps.at(5)).isEqualTo(RunSteps.NONE);
  }
}
