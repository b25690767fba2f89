package io.rollscope.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonFloatTest {

  /** Right-hand sides are what {@code repr} of CPython 3.11 prints. */
  @ParameterizedTest
  @CsvSource({
    "1781000000.0044034, 1781000000.0044034",
    "1781000000.0, 1781000000.0",
    "0.004375540366193483, 0.004375540366193483",
    "1.7340000000000002, 1.7340000000000002",
    "2.0E-3, 0.002",
    "0.0001, 0.0001",
    "2.0E-5, 2e-05",
    "1.2345E-7, 1.2345e-07",
    "5.684341886080802E-14, 5.684341886080802e-14",
    "1.0E15, 1000000000000000.0",
    "1.0E16, 1e+16",
    "9007199254740993.0, 9007199254740992.0",
    "2.0E23, 2e+23",
    "4.9E-324, 5e-324",
    "1.7976931348623157E308, 1.7976931348623157e+308",
    "-4.5, -4.5",
    "0.0, 0.0",
    "-0.0, -0.0",
    "NaN, NaN",
    "-Infinity, -Infinity"
  })
  void isSpelledAsByPython(double value, String expected) {
    assertThat(text(value)).isEqualTo(expected);
  }

  @Property
  void readsBackAsTheSameNumber(@ForAll long bits) {
    double value = Double.longBitsToDouble(bits);

    assertThat(Double.parseDouble(text(value))).isEqualTo(Double.valueOf(value));
  }

  /** The magnitudes of durations and epoch seconds. */
  @Property
  void hasNoDigitTooMany(
      @ForAll @LongRange(min = 1, max = (1L << 52) - 1) long mantissa,
      @ForAll @IntRange(min = -14, max = 50) int exponent) {
    double value = Math.scalb(1 + mantissa * 0x1p-52, exponent);

    BigDecimal written = new BigDecimal(text(value)).stripTrailingZeros();

    int digits = written.precision();
    assertThat(written).isEqualByComparingTo(rounded(value, digits));
    if (digits > 1) {
      assertThat(rounded(value, digits - 1).doubleValue()).isNotEqualTo(value);
    }
  }

  @Property
  void nanosecondsBecomeTheNearestFloat(
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000_000_000L) long nanoseconds) {
    double nearest = BigDecimal.valueOf(nanoseconds, 9).doubleValue();

    assertThat(PythonFloat.seconds(nanoseconds)).isEqualTo(nearest);
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  private static String text(double value) {
    return new JsonText().number(value).toString();
  }
}
