package io.rollscope.formats.scan;

/** A line that cannot be used; the message says why. Costs no stack trace: bad input is normal. */
public final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SHOWN = 40;

  public BadLineException(String reason) {
    super(reason, null, false, false);
  }

  /** {@code field: value (expected: …)}, with the value cut to a readable length. */
  public static BadLineException expected(String field, String value, String expected) {
    return new BadLineException(field + ": " + shown(value) + " (expected: " + expected + ")");
  }

  private static String shown(String value) {
    StringBuilder clean = new StringBuilder();
    value
        .codePoints()
        .limit(MAX_SHOWN)
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                clean.append(String.format("\\u%04x", c));
              } else {
                clean.appendCodePoint(c);
              }
            });
    return value.length() > MAX_SHOWN ? clean + "…" : clean.toString();
  }
}
