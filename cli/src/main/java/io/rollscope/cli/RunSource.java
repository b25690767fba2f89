package io.rollscope.cli;

import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import java.io.IOException;

/** A run that a command asks, wherever it is, and what is to be said beside the answer. */
interface RunSource {
  /** The run as it is now. */
  RunReports reports() throws IOException;

  /**
   * The run as it goes on.
   *
   * @param rows sessions to show
   * @param screen whether it is looked at all the time
   */
  LiveSource follow(Scope scope, int rows, boolean screen) throws IOException;

  /**
   * Says what the user should know beside the answer; the exit code that follows from it.
   *
   * @param skipped what the report says was skipped, or null
   */
  int finish(SkippedLines skipped, boolean quiet);
}
