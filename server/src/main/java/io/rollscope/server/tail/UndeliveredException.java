package io.rollscope.server.tail;

/** A part did not arrive and trying again is no use now. Unchecked: it crosses the reader. */
final class UndeliveredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UndeliveredException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Not a failure: everything is to end. */
  static UndeliveredException stopped() {
    return new UndeliveredException("stopped before everything was sent", null);
  }
}
