package io.rollscope.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class NanoSumTest {

  private static BigInteger exact(List<Long> values) {
    return values.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static NanoSum sum(List<Long> values) {
    NanoSum sum = new NanoSum();
    values.forEach(sum::add);
    return sum;
  }

  /** A month of a thousand sessions is more nanoseconds than a long holds. */
  @Property
  void sumsBeyondSixtyFourBitsStayRight(
      @ForAll @Size(max = 200) List<@LongRange(min = 0) Long> values) {
    double expected = new BigDecimal(exact(values)).movePointLeft(9).doubleValue();

    assertThat(sum(values).seconds()).isCloseTo(expected, within(Math.ulp(expected) * 2));
  }

  /** Threads add up their parts, then the parts are added. */
  @Property
  void aSumOfSumsIsTheSumOfAll(
      @ForAll @Size(max = 50) List<@LongRange(min = 0) Long> left,
      @ForAll @Size(max = 50) List<@LongRange(min = 0) Long> right) {
    NanoSum both = sum(left);
    both.add(sum(right));
    double expected = new BigDecimal(exact(left).add(exact(right))).movePointLeft(9).doubleValue();

    assertThat(both.seconds()).isCloseTo(expected, within(Math.ulp(expected) * 2));
  }

  @Property
  void theExactSumIsGivenOnlyWhenItFits(
      @ForAll @Size(max = 4) List<@LongRange(min = 0) Long> values) {
    BigInteger expected = exact(values);
    NanoSum sum = sum(values);

    if (expected.bitLength() < 64) {
      assertThat(sum.exact()).isEqualTo(expected.longValueExact());
    } else {
      assertThatThrownBy(sum::exact).isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void anEmptySumIsZero() {
    assertThat(new NanoSum().exact()).isZero();
    assertThat(new NanoSum().seconds()).isZero();
  }
}
