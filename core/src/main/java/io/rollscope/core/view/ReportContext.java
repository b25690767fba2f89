package io.rollscope.core.view;

import java.util.List;

/**
 * What a report says of where its data came from.
 *
 * @param source what the user named
 * @param run id of the run
 * @param otherRuns runs of the source that the report leaves out
 * @param skippedLines what was refused while reading
 */
public record ReportContext(
    String source, String run, List<String> otherRuns, SkippedLines skippedLines) {

  /** The source holds only this run. */
  public ReportContext(String source, String run, SkippedLines skippedLines) {
    this(source, run, List.of(), skippedLines);
  }

  /** Refused lines: how many, and the first examples. */
  public record SkippedLines(long count, List<Example> examples) {

    /** One of them; line 0 stands for the whole file. */
    public record Example(String file, long line, String reason) {}
  }
}
