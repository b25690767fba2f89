package io.rollscope.cli;

/** The command cannot do what was asked; the message is one line for the user. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Failure(String message) {
    super(message);
  }

  Failure(String message, Throwable cause) {
    super(message, cause);
  }

  /** {@code what: value (expected: …)}. */
  static Failure of(String what, Object value, String expected) {
    return new Failure(what + ": " + value + " (expected: " + expected + ")");
  }
}
