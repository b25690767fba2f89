package io.rollscope.otlp.json;

import com.fasterxml.jackson.core.JsonLocation;

/** The JSON is no export request; says where and what was expected. Costs no stack trace. */
public final class BadJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean tooMany;

  BadJsonException(String message) {
    this(message, false);
  }

  private BadJsonException(String message, boolean tooMany) {
    super(message, null, false, false);
    this.tooMany = tooMany;
  }

  static BadJsonException tooMany(JsonLocation at, int limit) {
    return new BadJsonException(
        place(at) + ": too many objects (expected: at most " + limit + "; send several requests)",
        true);
  }

  /** Whether it may be one, but holds too much. */
  public boolean isTooMany() {
    return tooMany;
  }

  static String place(JsonLocation at) {
    return "line " + at.getLineNr() + ", column " + Math.max(1, at.getColumnNr());
  }
}
