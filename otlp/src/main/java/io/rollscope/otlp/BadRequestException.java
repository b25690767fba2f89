package io.rollscope.otlp;

/**
 * The bytes are no export request; the message says where and what was expected. Costs no stack
 * trace.
 */
public class BadRequestException extends Exception {
  private static final long serialVersionUID = 1L;

  public BadRequestException(String message) {
    super(message, null, false, false);
  }
}
