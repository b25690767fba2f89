package io.rollscope.core.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import io.rollscope.core.steps.ClockAlignment.Offset;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ClockAlignmentTest {
  private static final Worker ZERO = new Worker(null, 0L);
  private static final Worker ONE = new Worker(null, 1L);
  private static final Worker TWO = new Worker(null, 2L);

  private final BarrierSpans spans = new BarrierSpans();

  private void span(Worker process, String name, long step, long start) {
    spans.add(process, new BarrierSpan(name, step, start, start + 10));
  }

  private Offset of(Worker process) {
    return ClockAlignment.of(spans).get(process);
  }

  /** Each process counts from its own start; the barriers say how far these are apart. */
  @Test
  void theOffsetIsTheMedianDifferenceOfSpansOfTheSameNameAndStep() {
    for (long step = 0; step < 6; step++) {
      span(ZERO, "train", step, 1_000 * step);
      // One step met an unlucky scheduler.
      span(ONE, "train", step, 1_000 * step - 700 - (step == 3 ? 400 : 0));
    }

    assertThat(of(ZERO)).isEqualTo(new Offset(0, 0, 0));
    assertThat(of(ONE)).isEqualTo(new Offset(700, 400, 5));
  }

  /** Processes come up at different times and only meet at the end of their first span. */
  @Test
  void theFirstSpanOfEachProcessIsLeftOut() {
    span(ZERO, "train", 0, 0);
    span(ONE, "train", 0, 600);
    span(ZERO, "train", 1, 1_000);
    span(ONE, "train", 1, 990);

    assertThat(of(ONE)).isEqualTo(new Offset(10, 0, 1));
  }

  @Test
  void ofAnEvenNumberOfDifferencesTheMeanOfTheMiddleTwoCounts() {
    span(ZERO, "train", 0, -5_000);
    span(ONE, "train", 0, -5_000);
    span(ZERO, "train", 1, 1_000);
    span(ONE, "train", 1, 900);
    span(ZERO, "train", 2, 2_000);
    span(ONE, "train", 2, 1_700);

    assertThat(of(ONE)).isEqualTo(new Offset(200, 200, 2));
  }

  /** Ranks of different roles pass no barrier together, but both meet the trainer. */
  @Test
  void aProcessIsReachedThroughAThird() {
    for (long step = 0; step < 4; step++) {
      span(ZERO, "sync", step, 1_000 * step);
      span(ONE, "sync", step, 1_000 * step + 50);
      span(ONE, "eval", step, 1_000 * step + 500);
      span(TWO, "eval", step, 1_000 * step + 570);
    }

    Map<Worker, Offset> offsets = ClockAlignment.of(spans);

    assertThat(offsets.get(ONE).offsetNs()).isEqualTo(-50);
    // 50 to get to rank 1's clock, 70 to get from there to rank 2's.
    assertThat(offsets.get(TWO).offsetNs()).isEqualTo(-120);
  }

  @Test
  void processesThatShareNothingKeepTheirOwnClock() {
    for (long step = 0; step < 3; step++) {
      span(ZERO, "train", step, 1_000 * step);
      span(ONE, "serve", step, 1_000 * step + 77);
    }

    assertThat(of(ONE)).isEqualTo(new Offset(0, 0, 0));
  }

  /** A checkpoint is written several times in a step: which of them met which cannot be told. */
  @Test
  void whatHappensSeveralTimesInAStepIsNotCompared() {
    for (long step = 0; step < 3; step++) {
      span(ZERO, "train", step, 1_000 * step);
      span(ONE, "train", step, 1_000 * step + 5);
    }
    span(ZERO, "save", 1, 1_100);
    span(ZERO, "save", 1, 1_200);
    span(ONE, "save", 1, 1_900);

    assertThat(of(ONE)).isEqualTo(new Offset(-5, 0, 2));
  }

  @Test
  void withoutSpansThereIsNothingToAlign() {
    assertThat(ClockAlignment.of(spans)).isEmpty();
  }

  /** Whatever the clocks say, as long as the barriers are exact the offsets are. */
  @Property
  void exactBarriersGiveExactOffsets(
      @ForAll @Size(min = 1, max = 6) List<@LongRange(min = -1L << 50, max = 1L << 50) Long> clocks,
      @ForAll @IntRange(min = 2, max = 20) int steps) {
    BarrierSpans exact = new BarrierSpans();
    for (int rank = 0; rank < clocks.size(); rank++) {
      for (long step = 0; step < steps; step++) {
        exact.add(
            new Worker("actor", (long) rank),
            new BarrierSpan("train", step, 7_777 * step - clocks.get(rank), 0));
      }
    }

    Map<Worker, Offset> offsets = ClockAlignment.of(exact);

    for (int rank = 0; rank < clocks.size(); rank++) {
      Offset offset = offsets.get(new Worker("actor", (long) rank));
      assertThat(offset.offsetNs()).isEqualTo(clocks.get(rank) - clocks.get(0));
      assertThat(offset.spreadNs()).isZero();
    }
  }
}
