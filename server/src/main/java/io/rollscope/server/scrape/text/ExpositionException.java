package io.rollscope.server.scrape.text;

/** An exposition that breaks the rules of its format; the message names the line. */
public final class ExpositionException extends Exception {
  private static final long serialVersionUID = 1L;

  ExpositionException(int line, String what, String expected) {
    super("line " + line + ": " + what + " (expected: " + expected + ")", null, false, false);
  }
}
