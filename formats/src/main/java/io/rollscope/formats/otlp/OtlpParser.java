package io.rollscope.formats.otlp;

import io.rollscope.core.time.Nanos;
import io.rollscope.formats.folder.LineParser;
import io.rollscope.formats.folder.Runs;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads export requests. Keys in camelCase or snake_case; 64-bit numbers as number or text; ids in
 * hex of either case; unknown keys ignored. A span that cannot be used is refused by itself: the
 * others of its line are kept.
 */
final class OtlpParser implements LineParser {
  private static final int STATUS_ERROR = 2;

  private final JsonScanner scanner = new JsonScanner();
  private final OtlpMapping mapping = new OtlpMapping();
  private final List<OtlpSpan> spans = new ArrayList<>();
  private TraceFile file;
  private long offset;
  private int seen;
  private int refused;
  private String firstRefusal;

  /** A span as written, before it is understood. */
  static final class RawSpan {
    String traceId = "";
    String spanId = "";
    String parentId = "";
    String name;
    long start;
    long end;
    int statusCode;
    String statusMessage;
    BadLineException wrong;
    final Map<String, String> attributes = new HashMap<>();
    final Map<String, String> exception = new HashMap<>();

    boolean failed() {
      return statusCode == STATUS_ERROR || "true".equals(attributes.get("error"));
    }
  }

  @Override
  public void begin(TraceFile file) {
    this.file = file;
  }

  @Override
  public void deliver(Runs runs) {
    OtlpTraces traces = runs.unsettled(OtlpTraces.class, OtlpTraces::new);
    spans.forEach(traces::add);
    spans.clear();
  }

  @Override
  public void line(byte[] b, int from, int to, long offset) throws BadLineException {
    this.offset = offset;
    seen = 0;
    refused = 0;
    firstRefusal = null;
    int mark = spans.size();
    scanner.open(b, from, to);
    try {
      scanner.beginObject();
      boolean request = false;
      while (scanner.nextKey()) {
        switch (scanner.key()) {
          case "resourceSpans", "resource_spans" -> {
            request = true;
            readList("resourceSpans", this::readResourceSpans);
          }
          default -> scanner.skip();
        }
      }
      scanner.finish();
      if (!request) {
        throw new BadLineException("no resourceSpans (expected: an OTLP export request)");
      }
    } catch (BadLineException e) {
      spans.subList(mark, spans.size()).clear();
      throw e;
    }
    if (refused > 0) {
      throw new BadLineException(refused + " of " + seen + " spans refused: " + firstRefusal);
    }
  }

  /** Reads one element of a list. */
  private interface Element {
    void read() throws BadLineException;
  }

  private void readList(String field, Element element) throws BadLineException {
    if (scanner.nullValue()) {
      return;
    }
    scanner.beginArray(field);
    while (scanner.nextElement()) {
      element.read();
    }
  }

  private void readResourceSpans() throws BadLineException {
    Map<String, String> resource = new HashMap<>();
    List<RawSpan> raw = new ArrayList<>();
    scanner.beginObject("resourceSpans");
    while (scanner.nextKey()) {
      switch (scanner.key()) {
        case "resource" -> readResource(resource);
        case "scopeSpans",
            "scope_spans",
            "instrumentationLibrarySpans",
            "instrumentation_library_spans" ->
            readList("scopeSpans", () -> readScope(raw));
        default -> scanner.skip();
      }
    }
    // The resource may stand behind the spans it applies to.
    for (RawSpan span : raw) {
      seen++;
      try {
        spans.add(mapping.understand(span, resource, file, offset));
      } catch (BadLineException e) {
        refused++;
        firstRefusal = firstRefusal == null ? e.getMessage() : firstRefusal;
      }
    }
  }

  private void readResource(Map<String, String> resource) throws BadLineException {
    if (scanner.nullValue()) {
      return;
    }
    scanner.beginObject("resource");
    while (scanner.nextKey()) {
      if (scanner.key().equals("attributes")) {
        readAttributes(resource);
      } else {
        scanner.skip();
      }
    }
  }

  private void readScope(List<RawSpan> raw) throws BadLineException {
    scanner.beginObject("scopeSpans");
    while (scanner.nextKey()) {
      if (scanner.key().equals("spans")) {
        readList("spans", () -> raw.add(readSpan()));
      } else {
        scanner.skip();
      }
    }
  }

  private RawSpan readSpan() throws BadLineException {
    RawSpan span = new RawSpan();
    scanner.beginObject("spans");
    while (scanner.nextKey()) {
      String key = scanner.key();
      if (scanner.nullValue()) {
        continue;
      }
      switch (key) {
        case "traceId", "trace_id" -> span.traceId = scanner.string(key);
        case "spanId", "span_id" -> span.spanId = scanner.string(key);
        case "parentSpanId", "parent_span_id" -> span.parentId = scanner.string(key);
        case "name" -> span.name = scanner.string(key);
        case "startTimeUnixNano", "start_time_unix_nano" -> span.start = nanos(key, span);
        case "endTimeUnixNano", "end_time_unix_nano" -> span.end = nanos(key, span);
        case "attributes" -> readAttributes(span.attributes);
        case "status" -> readStatus(span);
        case "events" -> readList(key, () -> readEvent(span));
        default -> scanner.skip();
      }
    }
    return span;
  }

  private long nanos(String key, RawSpan span) throws BadLineException {
    String text = scanner.scalar(key);
    try {
      long value = Long.parseLong(text);
      if (value >= 0 && value <= Nanos.LIMIT) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    // Well-formed JSON: only this span is refused.
    span.wrong = BadLineException.expected(key, text, "nanoseconds since 1970");
    return 0;
  }

  private void readStatus(RawSpan span) throws BadLineException {
    scanner.beginObject("status");
    while (scanner.nextKey()) {
      String key = scanner.key();
      if (scanner.nullValue()) {
        continue;
      }
      switch (key) {
        case "code" -> {
          String code = scanner.scalar(key);
          boolean error = code.equals("2") || code.equals("STATUS_CODE_ERROR");
          span.statusCode = error ? STATUS_ERROR : 0;
        }
        case "message" -> span.statusMessage = scanner.string(key);
        default -> scanner.skip();
      }
    }
  }

  private void readEvent(RawSpan span) throws BadLineException {
    Map<String, String> attributes = new HashMap<>();
    String name = "";
    scanner.beginObject("events");
    while (scanner.nextKey()) {
      String key = scanner.key();
      if (scanner.nullValue()) {
        continue;
      }
      switch (key) {
        case "name" -> name = scanner.string(key);
        case "attributes" -> readAttributes(attributes);
        default -> scanner.skip();
      }
    }
    if (name.equals("exception")) {
      span.exception.putAll(attributes);
    }
  }

  private void readAttributes(Map<String, String> into) throws BadLineException {
    readList(
        "attributes",
        () -> {
          String name = null;
          String value = null;
          scanner.beginObject("attributes");
          while (scanner.nextKey()) {
            String key = scanner.key();
            if (scanner.nullValue()) {
              continue;
            }
            switch (key) {
              case "key" -> name = scanner.string(key);
              case "value" -> value = readValue();
              default -> scanner.skip();
            }
          }
          if (name != null && value != null) {
            into.put(name, value);
          }
        });
  }

  /** A scalar attribute as text; lists and maps are left to the raw line. */
  private String readValue() throws BadLineException {
    String value = null;
    scanner.beginObject("value");
    while (scanner.nextKey()) {
      String key = scanner.key();
      if (scanner.nullValue()) {
        continue;
      }
      switch (key) {
        case "stringValue", "string_value" -> value = scanner.string(key);
        case "intValue", "int_value", "doubleValue", "double_value" -> value = scanner.scalar(key);
        case "boolValue", "bool_value" -> value = String.valueOf(scanner.bool(key));
        default -> scanner.skip();
      }
    }
    return value;
  }
}
