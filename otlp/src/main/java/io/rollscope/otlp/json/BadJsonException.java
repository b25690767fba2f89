package io.rollscope.otlp.json;

import com.fasterxml.jackson.core.JsonLocation;

/** The JSON is no export request; says where and what was expected. Costs no stack trace. */
public final class BadJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  BadJsonException(String message) {
    super(message, null, false, false);
  }

  static String place(JsonLocation at) {
    return "line " + at.getLineNr() + ", column " + Math.max(1, at.getColumnNr());
  }
}
