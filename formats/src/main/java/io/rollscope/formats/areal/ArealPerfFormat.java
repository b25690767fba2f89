package io.rollscope.formats.areal;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.RunNames;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.folder.TraceFormat;
import java.util.Set;

/** Recognises perf traces: Chrome trace events, one per line. */
public final class ArealPerfFormat implements TraceFormat {
  @Override
  public String id() {
    return "areal-perf";
  }

  @Override
  public String description() {
    return "AReaL perf traces: traces-r*.jsonl with Chrome trace events (name, ph)";
  }

  @Override
  public boolean nameMatches(String fileName) {
    return fileName.matches("traces-r\\d+\\.jsonl");
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return keys.contains("ph") && keys.contains("name");
  }

  @Override
  public String run(TraceFile file) {
    return RunNames.ofTrial(file.path());
  }

  @Override
  public LineParser newParser() {
    return new ArealPerfParser();
  }
}
