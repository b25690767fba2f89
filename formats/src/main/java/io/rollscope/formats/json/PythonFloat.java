package io.rollscope.formats.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Floats as Python's {@code repr} spells them: the fewest digits that read back as the same number
 * ({@code 1781000000.0044034}, {@code 4.0}, {@code 2e-05}). {@link Double#toString} of Java 17
 * often gives a digit too many (JDK-4511638).
 */
public final class PythonFloat {
  private static final double[] POWERS_OF_TEN = new double[23]; // all exact

  static {
    for (int i = 0; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = Double.parseDouble("1e" + i);
    }
  }

  private static final double FAST_FROM = 1e-4; // below, Python changes to exponents
  private static final double FAST_TO = 1e15; // above, a decimal of 15 digits is no fraction
  private static final long MANTISSA = (1L << 52) - 1;
  private static final long EXACT_INTEGERS = 1L << 53;

  /** How near to a rounding boundary the quick comparison is not trusted. */
  private static final double DOUBT = 1e-9;

  private PythonFloat() {}

  /** Seconds as Python's {@code time.time()} would give them: the float nearest to that time. */
  public static double seconds(long nanoseconds) {
    if (Math.abs(nanoseconds) < EXACT_INTEGERS) {
      return nanoseconds / 1e9;
    }
    long whole = nanoseconds / 1_000_000_000;
    return whole + nanoseconds % 1_000_000_000 / 1e9;
  }

  static void append(JsonText out, double value) {
    if (Double.isNaN(value)) {
      out.inside("NaN");
      return;
    }
    double positive = Math.abs(value);
    if (Double.doubleToRawLongBits(value) < 0) {
      out.raw('-');
    }
    if (positive == Double.POSITIVE_INFINITY) {
      out.inside("Infinity");
    } else if (positive == 0) {
      out.inside("0.0");
    } else if (!appendFast(out, positive)) {
      appendExact(out, positive);
    }
  }

  /**
   * Tries 15, 16 and 17 digits. The product with a power of ten and the error of that product are
   * both known exactly, so the nearest decimal and its distance are too.
   */
  private static boolean appendFast(JsonText out, double value) {
    boolean boundsAreUneven = (Double.doubleToRawLongBits(value) & MANTISSA) == 0;
    if (value < FAST_FROM || value >= FAST_TO || boundsAreUneven) {
      return false;
    }
    int magnitude = magnitude(value);
    double halfGap = Math.ulp(value) / 2;
    for (int digits = 15; digits <= 17; digits++) {
      int fraction = digits - 1 - magnitude;
      double scale = POWERS_OF_TEN[fraction];
      double product = value * scale;
      double error = Math.fma(value, scale, -product);
      long whole = (long) product;
      double rest = (product - whole) + error;
      double nearest = Math.rint(rest);
      double distance = Math.abs(rest - nearest);
      double allowed = halfGap * scale;
      if (distance < allowed * (1 - DOUBT) && distance < 0.5 - DOUBT) {
        appendFixed(out, whole + (long) nearest, fraction);
        return true;
      }
      if (distance <= allowed * (1 + DOUBT)) {
        return false;
      }
    }
    return false;
  }

  private static int magnitude(double value) {
    int exponent = 0;
    if (value >= 1) {
      while (value >= POWERS_OF_TEN[exponent + 1]) {
        exponent++;
      }
      return exponent;
    }
    while (value < 1 / POWERS_OF_TEN[-exponent]) {
      exponent--;
    }
    return exponent;
  }

  private static void appendFixed(JsonText out, long digits, int fraction) {
    long number = digits;
    int places = fraction;
    while (places > 1 && number % 10 == 0) {
      number /= 10;
      places--;
    }
    if (places == 0) {
      out.number(number).raw('.').raw('0');
      return;
    }
    long split = (long) POWERS_OF_TEN[places];
    out.number(number / split).raw('.').digits(number % split, places);
  }

  private static void appendExact(JsonText out, double value) {
    BigDecimal shortest = shortest(value).stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    if (exponent >= -4 && exponent < 16) {
      String plain = shortest.toPlainString();
      out.inside(plain).inside(plain.indexOf('.') < 0 ? ".0" : "");
      return;
    }
    out.inside(digits.substring(0, 1));
    if (digits.length() > 1) {
      out.raw('.').inside(digits.substring(1));
    }
    out.raw('e').raw(exponent < 0 ? '-' : '+');
    out.inside(Math.abs(exponent) < 10 ? "0" : "").number((long) Math.abs(exponent));
  }

  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < 17; digits++) {
      // At a power of two the gap above is wider: the farther neighbour may be the valid one.
      for (RoundingMode mode : Arrays.asList(RoundingMode.HALF_EVEN, RoundingMode.UP)) {
        BigDecimal candidate = exact.round(new MathContext(digits, mode));
        if (candidate.doubleValue() == value) {
          return candidate;
        }
      }
    }
    return exact.round(new MathContext(17, RoundingMode.HALF_EVEN));
  }
}
