package io.rollscope.server;

/** The collector cannot start; the message is one line, {@code WHAT: VALUE (expected: …)}. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
