package io.rollscope.core.table;

/** The data does not fit; the message says what was too much. */
public final class TableFullException extends RuntimeException {
  public TableFullException(String message) {
    super(message);
  }
}
