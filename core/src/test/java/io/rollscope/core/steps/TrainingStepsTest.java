package io.rollscope.core.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrainingStepsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Worker ZERO = new Worker(null, 0L);
  private static final Worker ONE = new Worker(null, 1L);

  private static void rollout(BarrierSpans spans, Worker process, long step, long from, long to) {
    spans.add(process, new BarrierSpan("train.rollout", step, from * SECOND, to * SECOND));
  }

  /** The trainer counts from its start; sessions carry wall clock. Tasks are in both. */
  @Test
  void theTrainersClockIsJoinedToTheSessionsByTheTasksBothMention() {
    BarrierSpans spans = new BarrierSpans();
    rollout(spans, ZERO, 1, 0, 10);
    rollout(spans, ZERO, 2, 20, 30);
    spans.taskStarted(ZERO, "7", 2 * SECOND);
    spans.taskStarted(ZERO, "8", 3 * SECOND);
    spans.taskStarted(ZERO, "9", 4 * SECOND);

    TrainingSteps steps =
        new TrainingSteps(
            spans,
            Map.of(ZERO, Map.of("7", 1_002 * SECOND, "8", 1_003 * SECOND, "9", 5_000 * SECOND)));

    assertThat(steps.steps()).containsExactly(1L, 2L);
    assertThat(steps.endNs(1)).isEqualTo(1_010 * SECOND);
    assertThat(steps.endNs(2)).isEqualTo(1_030 * SECOND);
    assertThat(steps.stepOf(ZERO, 1_005 * SECOND)).isEqualTo(1);
    assertThat(steps.stepOf(ZERO, 1_011 * SECOND)).isEqualTo(2);
    assertThat(steps.stepOf(ZERO, 1_031 * SECOND)).isNull();
  }

  /** Millions of samples of a long run mention the same tasks again and again. */
  @Test
  void tasksMentionedAgainDoNotCrowdOutLaterSteps() {
    BarrierSpans spans = new BarrierSpans();
    for (int i = 0; i <= 1 << 20; i++) {
      spans.taskStarted(ZERO, "7", i);
    }
    rollout(spans, ZERO, 1, 0, 10);

    TrainingSteps steps = new TrainingSteps(spans, Map.of(ZERO, Map.of("7", 0L)));

    assertThat(steps.steps()).containsExactly(1L);
  }

  /** Clocks are joined through microseconds and medians. */
  @Test
  void tenMillisecondsLateIsStillTheSameStep() {
    BarrierSpans spans = new BarrierSpans();
    rollout(spans, ZERO, 1, 0, 10);
    spans.taskStarted(ZERO, "7", 0);
    TrainingSteps steps = new TrainingSteps(spans, Map.of(ZERO, Map.of("7", 0L)));

    assertThat(steps.stepOf(ZERO, 10 * SECOND + 10_000_000)).isEqualTo(1);
    assertThat(steps.stepOf(ZERO, 10 * SECOND + 10_000_001)).isNull();
  }

  @Test
  void eachProcessConsumesByItself() {
    BarrierSpans spans = new BarrierSpans();
    rollout(spans, ZERO, 1, 0, 10);
    rollout(spans, ONE, 1, 0, 14);
    spans.taskStarted(ZERO, "7", 0);
    spans.taskStarted(ONE, "8", 0);
    TrainingSteps steps =
        new TrainingSteps(spans, Map.of(ZERO, Map.of("7", 0L), ONE, Map.of("8", 0L)));

    assertThat(steps.stepOf(ZERO, 12 * SECOND)).isNull();
    assertThat(steps.stepOf(ONE, 12 * SECOND)).isEqualTo(1);
    assertThat(steps.endNs(1)).isEqualTo(14 * SECOND);
    assertThat(steps.stepOf(new Worker(null, 5L), 0)).isNull();
  }

  @Test
  void withoutACommonTaskNothingIsTold() {
    BarrierSpans spans = new BarrierSpans();
    rollout(spans, ZERO, 1, 0, 10);
    spans.taskStarted(ZERO, "7", 0);

    assertThat(new TrainingSteps(spans, Map.of()).isEmpty()).isTrue();
    assertThat(new TrainingSteps(spans, Map.of(ZERO, Map.of("8", 0L))).isEmpty()).isTrue();
  }

  /** A step that was interrupted and done again. */
  @Test
  void aRepeatedStepEndsWithItsLastRollout() {
    BarrierSpans spans = new BarrierSpans();
    rollout(spans, ZERO, 1, 0, 10);
    rollout(spans, ZERO, 1, 20, 25);
    spans.taskStarted(ZERO, "7", 0);
    TrainingSteps steps = new TrainingSteps(spans, Map.of(ZERO, Map.of("7", 0L)));

    assertThat(steps.steps()).containsExactly(1L);
    assertThat(steps.endNs(1)).isEqualTo(25 * SECOND);
  }

  /** Group members start one after the other; the first start is what the session file has. */
  @Test
  void onlyTheFirstStartOfATaskCounts() {
    BarrierSpans spans = new BarrierSpans();
    spans.taskStarted(ZERO, "7", 5);
    spans.taskStarted(ZERO, "7", 3);
    spans.taskStarted(ZERO, "7", 9);

    assertThat(spans.taskStarts(ZERO)).containsExactlyEntriesOf(Map.of("7", 3L));
    assertThat(spans.isEmpty()).isTrue();
  }
}
