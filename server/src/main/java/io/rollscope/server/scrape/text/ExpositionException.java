package io.rollscope.server.scrape.text;

/**
 * An exposition that breaks the rules of its format; the message names the place, not what is
 * written there.
 */
public final class ExpositionException extends Exception {
  private static final long serialVersionUID = 1L;

  ExpositionException(int line, int column, String what, String expected) {
    super(
        "line " + line + ", column " + column + ": " + what + " (expected: " + expected + ")",
        null,
        false,
        false);
  }
}
