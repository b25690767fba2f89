package io.rollscope.core.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** AReaL's own guess: each rank consumes its share of the batch in order of completion. */
class StepBoundariesTest {

  @Test
  void aStepEndsWhenTheSlowestRankHasItsShare() {
    StepBoundaries steps = new StepBoundaries();
    for (int task = 0; task < 4; task++) {
      steps.accepted(0, "a" + task, 10 * task + 10);
      steps.accepted(1, "b" + task, 25 * task + 25);
    }

    assertThat(steps.ends(4)).containsExactly(50L, 100L);
  }

  /** A task is complete when the last sample of its group is. */
  @Test
  void aTaskCountsWhenItsLastSampleIsFinalised() {
    StepBoundaries steps = new StepBoundaries();
    steps.accepted(0, "a", 10);
    steps.accepted(0, "a", 70);
    steps.accepted(0, "b", 20);

    assertThat(steps.ends(1)).containsExactly(20L, 70L);
  }

  @Test
  void aStepThatSomeRankNeverFilledIsNotTold() {
    StepBoundaries steps = new StepBoundaries();
    steps.accepted(0, "a", 10);
    steps.accepted(0, "b", 20);
    steps.accepted(1, "c", 30);

    assertThat(steps.ends(2)).containsExactly(30L);
    assertThat(steps.ends(4)).isEmpty();
  }

  @Test
  void aBatchSmallerThanTheNumberOfRanksHasNoSteps() {
    StepBoundaries steps = new StepBoundaries();
    steps.accepted(0, "a", 10);
    steps.accepted(1, "b", 20);

    assertThat(steps.ends(1)).isEmpty();
    assertThat(new StepBoundaries().ends(8)).isEmpty();
  }

  @Test
  void aSessionBelongsToTheFirstStepThatEndsAtOrAfterIt() {
    List<Long> ends = List.of(100L, 200L, 200L, 300L);

    assertThat(StepBoundaries.stepOf(ends, 5)).isZero();
    assertThat(StepBoundaries.stepOf(ends, 100)).isZero();
    assertThat(StepBoundaries.stepOf(ends, 101)).isEqualTo(1);
    assertThat(StepBoundaries.stepOf(ends, 200)).isEqualTo(1);
    assertThat(StepBoundaries.stepOf(ends, 300)).isEqualTo(3);
    assertThat(StepBoundaries.stepOf(ends, 301)).isEqualTo(-1);
    assertThat(StepBoundaries.stepOf(List.of(), 0)).isEqualTo(-1);
  }
}
