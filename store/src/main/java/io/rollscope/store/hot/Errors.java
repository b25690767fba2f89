package io.rollscope.store.hot;

import io.rollscope.otlp.record.SpanRecord;

/** How an error is written in one line. */
final class Errors {
  private Errors() {}

  /** {@code Type: message}, or what there is of it. */
  static String text(SpanRecord span) {
    String type = span.errorType();
    String message = span.errorMessage();
    if (type == null) {
      return message == null ? "error" : message;
    }
    return message == null ? type : type + ": " + message;
  }
}
