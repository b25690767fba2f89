package io.rollscope.otlp.record;

import java.math.BigDecimal;

/** Floating-point numbers as text. */
public final class Numbers {
  private static final double MOST_PLAIN = 1e21;
  private static final double LEAST_PLAIN = 1e-7;

  private Numbers() {}

  /** Plain decimal within the bounds JavaScript has for it, else with an exponent. */
  public static String text(double value) {
    String text = Double.toString(value);
    double size = Math.abs(value);
    boolean plain = size >= LEAST_PLAIN && size < MOST_PLAIN;
    return plain && text.indexOf('E') >= 0 ? new BigDecimal(text).toPlainString() : text;
  }
}
