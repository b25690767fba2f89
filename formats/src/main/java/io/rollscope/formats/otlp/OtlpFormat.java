package io.rollscope.formats.otlp;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.TraceFormat;
import java.util.Set;

/** Recognises OTLP-JSON lines. */
public final class OtlpFormat implements TraceFormat {
  @Override
  public String id() {
    return "otlp";
  }

  @Override
  public String description() {
    return "OTLP-JSON lines (XTuner main, ROLL, collector file exporter): traces*.jsonl with resourceSpans";
  }

  @Override
  public boolean nameMatches(String fileName) {
    return fileName.matches("(traces|spans)(-\\d{4}-.*)?\\.jsonl(\\.\\d+)?");
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return keys.contains("resourceSpans") || keys.contains("resource_spans");
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
