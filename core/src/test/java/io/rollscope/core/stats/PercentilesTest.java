package io.rollscope.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PercentilesTest {

  private static double seconds(double p, double... values) {
    long[] nanos = DoubleStream.of(values).mapToLong(v -> (long) (v * 1e9)).sorted().toArray();
    return Percentiles.secondsOfSorted(nanos, nanos.length, p);
  }

  @Test
  void theExamplesOfTheContractHold() {
    assertThat(seconds(.5, 4, 2, 1, 3)).isEqualTo(2.5);
    assertThat(seconds(.95, 1, 2, 3, 4)).isCloseTo(3.85, within(1e-12));
    assertThat(seconds(.95, 10, 7)).isCloseTo(9.85, within(1e-12));
  }

  @Test
  void nothingGivesZeroAndOneValueItself() {
    assertThat(seconds(.95)).isZero();
    assertThat(seconds(.95, 7)).isEqualTo(7);
    assertThat(Percentiles.secondsOfSorted(new long[4], 0, .5)).isZero();
    assertThat(Percentiles.secondsOfSorted(new long[] {3_000_000_000L}, 1, .01)).isEqualTo(3);
  }

  /** The definition, in decimals: linear between the neighbours of position (n-1)·p. */
  private static double byDefinition(List<Long> nanos, double p) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    BigDecimal position = new BigDecimal(p).multiply(BigDecimal.valueOf(sorted.length - 1L));
    int below = position.setScale(0, RoundingMode.FLOOR).intValueExact();
    int above = Math.min(below + 1, sorted.length - 1);
    BigDecimal low = BigDecimal.valueOf(sorted[below]);
    BigDecimal step = BigDecimal.valueOf(sorted[above]).subtract(low);
    BigDecimal weight = position.subtract(BigDecimal.valueOf(below));
    return low.add(step.multiply(weight)).movePointLeft(9).doubleValue();
  }

  @Property
  void durationsFollowTheDefinition(
      @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 1L << 62) Long> nanos,
      @ForAll @DoubleRange(min = 0, max = 1) double p) {
    Durations durations = new Durations();
    nanos.forEach(durations::add);
    // Positions are doubles: an error of one bit counts by the largest step between two values.
    double greatest = byDefinition(nanos, 1);

    assertThat(durations.seconds(p))
        .isCloseTo(byDefinition(nanos, p), within(1e-12 * Math.max(1, greatest)));
  }

  /** Two threads looked at half of the sessions each. */
  @Property
  void durationsOfTwoPartsAreThoseOfTheWhole(
      @ForAll @Size(max = 40) List<@LongRange(min = 0, max = 1L << 62) Long> left,
      @ForAll @Size(max = 40) List<@LongRange(min = 0, max = 1L << 62) Long> right) {
    Durations whole = new Durations();
    Durations first = new Durations();
    Durations second = new Durations();
    left.forEach(
        n -> {
          whole.add(n);
          first.add(n);
        });
    right.forEach(
        n -> {
          whole.add(n);
          second.add(n);
        });
    // Asked in between, so that it was sorted already when more came.
    assertThat(first.seconds(.5)).isGreaterThanOrEqualTo(0);

    first.addAll(second);

    assertThat(first.summary()).isEqualTo(whole.summary());
    assertThat(first.totalSeconds()).isEqualTo(whole.totalSeconds());
  }

  @Test
  void theSummaryHasLeastGreatestAndMean() {
    Durations durations = new Durations();
    Arrays.stream(new long[] {4, 2, 1, 3}).forEach(s -> durations.add(s * 1_000_000_000L));

    Durations.Summary summary = durations.summary();

    assertThat(summary.count()).isEqualTo(4);
    assertThat(summary.mean()).isEqualTo(2.5);
    assertThat(summary.min()).isEqualTo(1);
    assertThat(summary.max()).isEqualTo(4);
    assertThat(summary.p25()).isEqualTo(1.75);
    assertThat(summary.p95()).isCloseTo(3.85, within(1e-12));
  }

  @Test
  void noDurationsHaveNoSummary() {
    assertThat(new Durations().summary()).isNull();
    assertThat(new Durations().meanSeconds()).isZero();
  }
}
