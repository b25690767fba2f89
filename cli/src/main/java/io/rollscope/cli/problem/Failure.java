package io.rollscope.cli.problem;

/** The command cannot do what was asked; the message is one line for the user. */
public class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Failure(String message) {
    super(message);
  }

  public Failure(String message, Throwable cause) {
    super(message, cause);
  }

  /** {@code what: value (expected: …)}. */
  public static Failure of(String what, Object value, String expected) {
    return new Failure(what + ": " + value + " (expected: " + expected + ")");
  }
}
