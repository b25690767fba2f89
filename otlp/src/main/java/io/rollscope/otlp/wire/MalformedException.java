package io.rollscope.otlp.wire;

/** Bytes that are no protobuf message. Costs no stack trace: bad input is normal. */
public final class MalformedException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedException(String message) {
    super(message, null, false, false);
  }
}
