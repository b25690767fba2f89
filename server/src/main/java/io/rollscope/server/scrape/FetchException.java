package io.rollscope.server.scrape;

/** A target that could not be fetched; the message is for people. */
final class FetchException extends Exception {
  private static final long serialVersionUID = 1L;

  FetchException(String message) {
    super(message, null, false, false);
  }

  static FetchException of(String what, Object value, String expected) {
    return new FetchException(what + ": " + value + " (expected: " + expected + ")");
  }
}
