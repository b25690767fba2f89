package io.rollscope.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class NanosTest {
  private static final double LIMIT_S = Nanos.LIMIT / 1e9;

  /** The definition: the double's exact value in nanoseconds, rounded half-even. */
  private static long exactly(double seconds) {
    if (!Double.isFinite(seconds)) {
      return Nanos.UNKNOWN;
    }
    BigDecimal nanos =
        new BigDecimal(seconds).movePointRight(9).setScale(0, RoundingMode.HALF_EVEN);
    boolean fits = nanos.abs().compareTo(BigDecimal.valueOf(Nanos.LIMIT)) <= 0;
    return fits ? nanos.longValueExact() : Nanos.UNKNOWN;
  }

  /** Whatever sixty-four bits a broken writer puts down. */
  @Property(tries = 20_000)
  void anyDoubleBecomesItsExactValueRoundedHalfEven(@ForAll long bits) {
    double seconds = Double.longBitsToDouble(bits);

    assertThat(Nanos.fromSeconds(seconds)).isEqualTo(exactly(seconds));
  }

  /** Random bits rarely hit the exponents that matter; here each magnitude gets its share. */
  @Property(tries = 20_000)
  void everyMagnitudeFromSubnormalToTooLargeIsExact(
      @ForAll @IntRange(min = 0, max = 1100) int exponent,
      @ForAll @LongRange(min = 0, max = 0xfffffffffffffL) long mantissa,
      @ForAll boolean negative) {
    double magnitude = Double.longBitsToDouble((long) exponent << 52 | mantissa);
    double seconds = negative ? -magnitude : magnitude;

    assertThat(Nanos.fromSeconds(seconds)).isEqualTo(exactly(seconds));
  }

  /** Wall clocks of this century, which is what traces are full of. */
  @Property(tries = 20_000)
  void epochSecondsAreExact(@ForAll @DoubleRange(min = 0, max = 4.2e9) double seconds) {
    assertThat(Nanos.fromSeconds(seconds)).isEqualTo(exactly(seconds));
  }

  /** 1e9 has nine factors of two, so odd multiples of 1/1024 s lie exactly between two. */
  @Property
  void halvesGoToTheEvenNeighbour(@ForAll @LongRange(min = -1L << 40, max = 1L << 40) long number) {
    double seconds = (2 * number + 1) / 1024.0;

    long nanos = Nanos.fromSeconds(seconds);

    assertThat(nanos % 2).isZero();
    assertThat(nanos).isEqualTo(exactly(seconds));
  }

  @Property(tries = 4_000)
  void closeToTheLimitNothingSlipsThrough(
      @ForAll @IntRange(min = -100_000, max = 100_000) int steps, @ForAll boolean negative) {
    double near = Double.longBitsToDouble(Double.doubleToRawLongBits(LIMIT_S) + steps);
    double seconds = negative ? -near : near;

    assertThat(Nanos.fromSeconds(seconds)).isEqualTo(exactly(seconds));
  }

  @Test
  void whatIsNotFiniteOrTooFarAwayIsUnknown() {
    for (double seconds :
        new double[] {
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          Math.nextUp(LIMIT_S) + 1,
          -LIMIT_S - 1
        }) {
      assertThat(Nanos.fromSeconds(seconds)).as("%s", seconds).isEqualTo(Nanos.UNKNOWN);
    }
  }

  @Test
  void zerosAndTheSmallestDoublesAreZero() {
    for (double seconds : new double[] {0.0, -0.0, Double.MIN_VALUE, -Double.MIN_VALUE, 4.9e-10}) {
      assertThat(Nanos.fromSeconds(seconds)).as("%s", seconds).isZero();
    }
  }

  /** A timestamp of the sample run; doubles of this size are 256 apart. */
  @Test
  void multiplyingByABillionWouldRoundTwice() {
    double seconds = 1781000850.1250284;

    assertThat(Nanos.fromSeconds(seconds)).isEqualTo(1781000850125028372L);
    assertThat((long) (seconds * 1e9)).isNotEqualTo(1781000850125028372L);
  }

  @Test
  void lengthIsNeverNegative() {
    assertThat(Nanos.length(3, 10)).isEqualTo(7);
    assertThat(Nanos.length(10, 3)).isZero();
  }
}
