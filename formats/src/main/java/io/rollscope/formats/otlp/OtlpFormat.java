package io.rollscope.formats.otlp;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.TraceFormat;
import java.util.Set;

/** Recognises OTLP-JSON lines. */
public final class OtlpFormat implements TraceFormat {
  /** What is said of a line that is something else. */
  public static final String NO_REQUEST =
      "no resourceSpans, resourceLogs or resourceMetrics (expected: an OTLP export request)";

  private static final Set<String> KEYS =
      Set.of(
          "resourceSpans",
          "resource_spans",
          "resourceLogs",
          "resource_logs",
          "resourceMetrics",
          "resource_metrics");

  @Override
  public String id() {
    return "otlp";
  }

  @Override
  public String description() {
    return "OTLP-JSON lines (Rollscope's spool, XTuner main, ROLL, collector file exporter):"
        + " *.jsonl with resourceSpans, resourceLogs or resourceMetrics";
  }

  @Override
  public boolean nameMatches(String fileName) {
    return fileName.matches("(traces|spans)(-\\d{4}-.*)?\\.jsonl(\\.\\d+)?");
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return keys.stream().anyMatch(KEYS::contains);
  }

  @Override
  public boolean isSettledLater() {
    return true;
  }

  @Override
  public LineParser newParser() {
    return new OtlpParser();
  }
}
