package io.rollscope.formats.areal;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.RunNames;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.folder.TraceFormat;
import java.util.Set;

/** Recognises session rows: the current format and its three predecessors. */
public final class ArealSessionsFormat implements TraceFormat {
  @Override
  public String id() {
    return "areal-sessions";
  }

  @Override
  public String description() {
    return "AReaL sessions: sessions-r*.jsonl or requests*.jsonl with session_id or request_id, submit_ts";
  }

  @Override
  public boolean nameMatches(String fileName) {
    return fileName.matches("(sessions|requests)(-.*)?\\.jsonl");
  }

  @Override
  public boolean keysMatch(Set<String> keys) {
    return keys.contains("submit_ts")
        && (keys.contains("session_id") || keys.contains("request_id"));
  }

  @Override
  public String run(TraceFile file) {
    return RunNames.ofTrial(file.path());
  }

  @Override
  public LineParser newParser() {
    return new ArealSessionsParser();
  }
}
