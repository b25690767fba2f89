package io.rollscope.server.tail;

import com.google.protobuf.ByteString;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.formats.otlp.DerivedIds;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Ids of the spans of the session that is loaded, the same as {@code convert --to otlp} gives. A
 * span keeps its id when it ends and when its folder is read again.
 */
final class SessionIds {
  private record Occurrence(int name, long firstNs) {}

  private final SpanTable table;
  private final SessionSpans spans;
  private final DerivedIds derived;
  private final Map<Occurrence, Integer> occurrences = new HashMap<>();
  private int[] occurrence = new int[64];
  private String traceText;
  private ByteString trace;

  SessionIds(SessionSpans spans, String run) {
    this.table = spans.table();
    this.spans = spans;
    this.derived = new DerivedIds(run);
  }

  /** Looks at the session that was just loaded. */
  void begin() {
    traceText = table.traceId(spans.session());
    trace = bytes(derived.trace(traceText));
    if (occurrence.length < spans.count()) {
      occurrence = new int[Math.max(spans.count(), 2 * occurrence.length)];
    }
    occurrences.clear();
    for (int i = 0; i < spans.count(); i++) {
      Occurrence key = new Occurrence(spans.name(i), firstNs(i));
      occurrence[i] = occurrences.merge(key, 1, Integer::sum) - 1;
    }
  }

  ByteString trace() {
    return trace;
  }

  ByteString span(int i) {
    return derive(spans.name(i), firstNs(i), occurrence[i]);
  }

  /** Of the span that stands for the session as a whole. */
  ByteString container(long firstNs) {
    return bytes(derived.span(traceText, "session", firstNs, 0));
  }

  /** Of something that happened at an instant; its name keeps it apart from spans. */
  ByteString point(String name, int row) {
    int before = 0;
    for (int i = 0; i < spans.rowCount() && spans.row(i) != row; i++) {
      boolean same =
          table.time(spans.row(i)) == table.time(row)
              && table.name(spans.row(i)) == table.name(row);
      before += same ? 1 : 0;
    }
    return bytes(derived.span(traceText, "point " + name, table.time(row), before));
  }

  private long firstNs(int i) {
    return table.time(NewSpans.firstRow(spans, i));
  }

  private ByteString derive(int name, long firstNs, int before) {
    return bytes(derived.span(traceText, table.nameOf(name).raw(), firstNs, before));
  }

  private static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }
}
