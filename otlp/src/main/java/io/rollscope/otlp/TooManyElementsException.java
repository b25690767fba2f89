package io.rollscope.otlp;

/** The request holds more resources, scopes or items than one may; several smaller ones do. */
public final class TooManyElementsException extends BadRequestException {
  private static final long serialVersionUID = 1L;

  TooManyElementsException(String message) {
    super(message);
  }
}
