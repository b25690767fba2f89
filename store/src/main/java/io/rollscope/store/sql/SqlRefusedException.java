package io.rollscope.store.sql;

/** A user's SQL is not allowed or does not work. The message is for the user. */
public final class SqlRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  SqlRefusedException(String message) {
    super(message);
  }
}
