package io.rollscope.core.session;

/** Numbers that attributes say as text. */
final class Decimals {
  private static final int LONGEST = 40;

  private Decimals() {}

  /** A finite decimal number, or null. */
  static Double number(String text) {
    if (text == null || text.isEmpty() || text.length() > LONGEST) {
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        return null;
      }
    }
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? value + 0.0 : null; // No -0.0.
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
