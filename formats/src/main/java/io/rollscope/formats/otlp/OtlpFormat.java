package io.rollscope.formats.otlp;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.TraceFormat;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.otlp.Signal;
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

  private final boolean metrics;

  public OtlpFormat() {
    this(false);
  }

  private OtlpFormat(boolean metrics) {
    this.metrics = metrics;
  }

  /** What reads metrics too; with the others they are passed over, for they may be very many. */
  public static TraceFormat withMetrics(TraceFormat format) {
    return format instanceof OtlpFormat ? new OtlpFormat(true) : format;
  }

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
    return new RequestLineParser(metrics);
  }

  /** The signal that a line tells of: that of its first key that is one. */
  public static Signal signalOf(JsonScanner scanner, byte[] b, int from, int to)
      throws BadLineException {
    scanner.open(b, from, to);
    scanner.beginObject();
    while (scanner.nextKey()) {
      switch (scanner.key()) {
        case "resourceSpans", "resource_spans" -> {
          return Signal.TRACES;
        }
        case "resourceLogs", "resource_logs" -> {
          return Signal.LOGS;
        }
        case "resourceMetrics", "resource_metrics" -> {
          return Signal.METRICS;
        }
        default -> scanner.skip();
      }
    }
    throw new BadLineException(NO_REQUEST);
  }

  /** Looks whether a line is JSON at all. */
  static void check(JsonScanner scanner, byte[] b, int from, int to) throws BadLineException {
    scanner.open(b, from, to);
    scanner.beginObject();
    while (scanner.nextKey()) {
      scanner.skip();
    }
    scanner.finish();
  }
}
