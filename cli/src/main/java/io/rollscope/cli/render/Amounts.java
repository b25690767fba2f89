package io.rollscope.cli.render;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Rewards and tokens for people: four digits tell enough. */
final class Amounts {
  private static final double LEAST_PLAIN = 1e-4;
  private static final double MOST_PLAIN = 1e12;
  private static final MathContext DIGITS = new MathContext(4);

  private Amounts() {}

  static String human(double value) {
    double size = Math.abs(value);
    if (value != 0 && (size < LEAST_PLAIN || size >= MOST_PLAIN)) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    return size >= 1_000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /** The same; nothing for what is not known. */
  static String orNone(Number value) {
    return value == null ? "" : human(value.doubleValue());
  }

  /** {@code 412 → 88 tokens}, or what is known of it; null for nothing. */
  static String tokens(Long input, Long output) {
    if (input == null && output == null) {
      return null;
    }
    String read = input == null ? "?" : String.format(Locale.ROOT, "%,d", input);
    String written = output == null ? "?" : String.format(Locale.ROOT, "%,d", output);
    return read + " → " + written + " tokens";
  }
}
