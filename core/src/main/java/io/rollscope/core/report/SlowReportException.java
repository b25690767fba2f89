package io.rollscope.core.report;

import java.io.IOException;

/** A report that took too long; a narrower scope or a filter may help. */
public final class SlowReportException extends IOException {
  private static final long serialVersionUID = 1L;

  public SlowReportException(Throwable cause) {
    super("report: takes too long", cause);
  }
}
