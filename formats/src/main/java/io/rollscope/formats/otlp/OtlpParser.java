package io.rollscope.formats.otlp;

import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads export requests: spans, and the log records that tell of spans (contracts.md 3.5). Metrics
 * are passed over: no report of a folder is about them. Keys in camelCase or snake_case; 64-bit
 * numbers as number or text; ids in hex of either case; unknown keys ignored. An item that cannot
 * be used is refused by itself: the others of its line are kept.
 */
final class OtlpParser implements LineParser {
  private static final Set<String> SCOPE_SPANS =
      Set.of(
          "scopeSpans",
          "scope_spans",
          "instrumentationLibrarySpans",
          "instrumentation_library_spans");
  private static final Set<String> SPANS = Set.of("spans");
  private static final Set<String> SCOPE_LOGS = Set.of("scopeLogs", "scope_logs");
  private static final Set<String> RECORDS = Set.of("logRecords", "log_records");

  private final OtlpScanner scanner = new OtlpScanner();
  private final JsonScanner json = scanner.json;
  private final OtlpMapping mapping = new OtlpMapping();
  private final List<OtlpSpan> spans = new ArrayList<>();
  private final List<OtlpVerdict> verdicts = new ArrayList<>();
  private final List<OtlpSign> signs = new ArrayList<>();
  private TraceFile file;
  private long offset;
  private int seen;
  private int refused;
  private String kind;
  private String firstRefusal;

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    OtlpTraces traces = runs.unsettled(OtlpTraces.class, OtlpTraces::new);
    spans.forEach(traces::add);
    verdicts.forEach(traces::add);
    signs.forEach(traces::add);
    rollback(0, 0, 0);
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    this.offset = offset;
    seen = 0;
    refused = 0;
    firstRefusal = null;
    int spansBefore = spans.size();
    int verdictsBefore = verdicts.size();
    int signsBefore = signs.size();
    json.open(b, from, to);
    try {
      readRequest();
    } catch (BadLineException e) {
      rollback(spansBefore, verdictsBefore, signsBefore);
      throw e;
    }
    if (refused > 0) {
      throw new BadLineException(
          refused + " of " + seen + " " + kind + " refused: " + firstRefusal);
    }
  }

  private void rollback(int spansKept, int verdictsKept, int signsKept) {
    spans.subList(spansKept, spans.size()).clear();
    verdicts.subList(verdictsKept, verdicts.size()).clear();
    signs.subList(signsKept, signs.size()).clear();
  }

  private void readRequest() throws BadLineException {
    json.beginObject();
    boolean request = false;
    while (json.nextKey()) {
      switch (json.key()) {
        case "resourceSpans", "resource_spans" -> {
          request = true;
          scanner.list("resourceSpans", this::readResourceSpans);
        }
        case "resourceLogs", "resource_logs" -> {
          request = true;
          scanner.list("resourceLogs", this::readResourceLogs);
        }
        case "resourceMetrics", "resource_metrics" -> {
          request = true;
          json.skip();
        }
        default -> json.skip();
      }
    }
    json.finish();
    if (!request) {
      throw new BadLineException(OtlpFormat.NO_REQUEST);
    }
  }

  /** Takes one item, or refuses it. */
  private interface Taking {
    void take(RawItem item) throws BadLineException;
  }

  private void takeAll(String what, List<RawItem> items, Taking taking) {
    kind = what;
    for (RawItem item : items) {
      seen++;
      try {
        if (item.wrong != null) {
          throw item.wrong;
        }
        taking.take(item);
      } catch (BadLineException e) {
        refused++;
        firstRefusal = firstRefusal == null ? e.getMessage() : firstRefusal;
      }
    }
  }

  private void readResourceSpans() throws BadLineException {
    List<RawItem> raw = new ArrayList<>();
    Map<String, String> resource =
        scanner.resource("resourceSpans", SCOPE_SPANS, SPANS, () -> raw.add(readSpan()));
    takeAll("spans", raw, span -> spans.add(mapping.span(span, resource, file, offset)));
  }

  private void readResourceLogs() throws BadLineException {
    List<RawItem> raw = new ArrayList<>();
    Map<String, String> resource =
        scanner.resource("resourceLogs", SCOPE_LOGS, RECORDS, () -> raw.add(readRecord()));
    takeAll("log records", raw, entry -> takeRecord(entry, resource));
  }

  private void takeRecord(RawItem entry, Map<String, String> resource) throws BadLineException {
    switch (mapping.event(entry)) {
      case "rollscope.span.start" -> spans.add(mapping.start(entry, resource, file, offset));
      case "rollscope.session.final" -> verdicts.add(mapping.verdict(entry, resource, file));
      case "rollscope.beat" -> signs.add(mapping.sign(entry, resource, file, false));
      case "rollscope.process.end" -> signs.add(mapping.sign(entry, resource, file, true));
      default -> throw new BadLineException("log record: not a start, beat or verdict record");
    }
  }

  private RawItem readSpan() throws BadLineException {
    RawItem span = new RawItem();
    json.beginObject("spans");
    while (json.nextKey()) {
      String key = json.key();
      if (json.nullValue()) {
        continue;
      }
      switch (key) {
        case "traceId", "trace_id" -> span.traceId = json.string(key);
        case "spanId", "span_id" -> span.spanId = json.string(key);
        case "parentSpanId", "parent_span_id" -> span.parentId = json.string(key);
        case "name" -> span.name = json.string(key);
        case "startTimeUnixNano", "start_time_unix_nano" -> span.start = scanner.nanos(key, span);
        case "endTimeUnixNano", "end_time_unix_nano" -> span.end = scanner.nanos(key, span);
        case "attributes" -> scanner.attributes(span.attributes);
        case "status" -> readStatus(span);
        case "events" -> scanner.list(key, () -> readEvent(span));
        default -> json.skip();
      }
    }
    return span;
  }

  private RawItem readRecord() throws BadLineException {
    RawItem entry = new RawItem();
    long observed = 0;
    json.beginObject("logRecords");
    while (json.nextKey()) {
      String key = json.key();
      if (json.nullValue()) {
        continue;
      }
      switch (key) {
        case "traceId", "trace_id" -> entry.traceId = json.string(key);
        case "spanId", "span_id" -> entry.spanId = json.string(key);
        case "eventName", "event_name" -> entry.name = json.string(key);
        case "timeUnixNano", "time_unix_nano" -> entry.start = scanner.nanos(key, entry);
        case "observedTimeUnixNano", "observed_time_unix_nano" ->
            observed = scanner.nanos(key, entry);
        case "attributes" -> scanner.attributes(entry.attributes);
        default -> json.skip();
      }
    }
    entry.start = entry.start == 0 ? observed : entry.start;
    return entry;
  }

  private void readStatus(RawItem span) throws BadLineException {
    json.beginObject("status");
    while (json.nextKey()) {
      String key = json.key();
      if (json.nullValue()) {
        continue;
      }
      switch (key) {
        case "code" -> {
          String code = json.scalar(key);
          boolean error = code.equals("2") || code.equals("STATUS_CODE_ERROR");
          span.statusCode = error ? RawItem.STATUS_ERROR : 0;
        }
        case "message" -> span.statusMessage = json.string(key);
        default -> json.skip();
      }
    }
  }

  private void readEvent(RawItem span) throws BadLineException {
    Map<String, String> attributes = new HashMap<>();
    String name = "";
    json.beginObject("events");
    while (json.nextKey()) {
      String key = json.key();
      if (json.nullValue()) {
        continue;
      }
      switch (key) {
        case "name" -> name = json.string(key);
        case "attributes" -> scanner.attributes(attributes);
        default -> json.skip();
      }
    }
    if (name.equals("exception")) {
      span.exception.putAll(attributes);
    }
  }
}
