package io.rollscope.store.journal;

/** No intact frame begins here; the message says what is wrong. */
final class DamagedFrameException extends Exception {
  DamagedFrameException(String message) {
    super(message, null, false, false);
  }
}
