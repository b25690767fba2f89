package io.rollscope.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.json.JsonText;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The spans of requests as a server would know them: closed beats open, the later end wins. */
final class ToldSpans {

  /** One span and the resource it came with. */
  record Told(Span span, Resource resource) {
    boolean isOpen() {
      return span.getEndTimeUnixNano() == 0;
    }

    String attribute(String key) {
      return text(span.getAttributesList(), key);
    }

    String resourceAttribute(String key) {
      return text(resource.getAttributesList(), key);
    }

    private static String text(List<KeyValue> attributes, String key) {
      return attributes.stream()
          .filter(a -> a.getKey().equals(key))
          .map(
              a ->
                  switch (a.getValue().getValueCase()) {
                    case INT_VALUE -> Long.toString(a.getValue().getIntValue());
                    case DOUBLE_VALUE -> Double.toString(a.getValue().getDoubleValue());
                    case BOOL_VALUE -> Boolean.toString(a.getValue().getBoolValue());
                    default -> a.getValue().getStringValue();
                  })
          .findFirst()
          .orElse(null);
    }
  }

  private final Map<String, Told> byId = new LinkedHashMap<>();
  private long messages;
  private long closedAgain;

  static ToldSpans of(List<Incoming> requests) {
    ToldSpans told = new ToldSpans();
    requests.forEach(told::add);
    return told;
  }

  private void add(Incoming incoming) {
    assertThat(incoming.signal()).isEqualTo(Signal.TRACES);
    assertThat(incoming.request().rejected()).isEmpty();
    byte[] bytes = incoming.bytes();
    int length = bytes.length - Incoming.HEAD;
    try {
      ExportTraceServiceRequest request =
          ExportTraceServiceRequest.parser().parseFrom(bytes, Incoming.HEAD, length);
      request
          .getResourceSpansList()
          .forEach(
              r ->
                  r.getScopeSpansList()
                      .forEach(
                          s -> s.getSpansList().forEach(x -> add(new Told(x, r.getResource())))));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private void add(Told now) {
    messages++;
    Told before = byId.get(id(now.span()));
    if (before != null) {
      assertThat(now.span().getName()).isEqualTo(before.span().getName());
      assertThat(now.span().getStartTimeUnixNano()).isEqualTo(before.span().getStartTimeUnixNano());
      closedAgain += !before.isOpen() && !now.isOpen() ? 1 : 0;
    }
    boolean wins =
        before == null || now.span().getEndTimeUnixNano() >= before.span().getEndTimeUnixNano();
    if (wins) {
      byId.put(id(now.span()), now);
    }
  }

  static String id(Span span) {
    return hex(span.getTraceId()) + "/" + hex(span.getSpanId());
  }

  private static String hex(com.google.protobuf.ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  Map<String, Told> byId() {
    return byId;
  }

  /** How often anything was told. */
  long messages() {
    return messages;
  }

  /** How often a closed span was told as closed once more. */
  long closedAgain() {
    return closedAgain;
  }

  long open() {
    return byId.values().stream().filter(Told::isOpen).count();
  }

  /** What is known of each span at the end, without the order in which it became known. */
  Map<String, String> summary() {
    Map<String, String> all = new TreeMap<>();
    byId.forEach(
        (id, told) -> {
          Map<String, String> attributes = new TreeMap<>();
          told.span()
              .getAttributesList()
              .forEach(a -> attributes.put(a.getKey(), told.attribute(a.getKey())));
          all.put(
              id,
              told.span().getName()
                  + " "
                  + told.span().getStartTimeUnixNano()
                  + " "
                  + told.span().getEndTimeUnixNano()
                  + " "
                  + attributes);
        });
    return all;
  }

  /** Reads the spans as a folder of OTLP-JSON lines is read. */
  RunData readBack(Path file) throws IOException {
    JsonText json = new JsonText();
    for (Told told : byId.values()) {
      String resource =
          told.resourceAttribute("rollscope.run.default"); // What the server does with it.
      json.raw("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
      attribute(json, "rl.run.id", resource);
      json.raw("]},\"scopeSpans\":[{\"spans\":[");
      write(json, told.span());
      json.raw("]}]}]}\n");
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      json.drainTo(out);
    }
    FolderReader reader =
        new FolderReader(new SourcePath(file.toString()), null, null, Long.MAX_VALUE);
    reader.readAll();
    assertThat(reader.skipped().examples()).isEmpty();
    return reader.runs().newest();
  }

  private static void write(JsonText json, Span span) {
    json.raw("{\"traceId\":\"").raw(hex(span.getTraceId()));
    json.raw("\",\"spanId\":\"").raw(hex(span.getSpanId()));
    json.raw("\",\"parentSpanId\":\"").raw(hex(span.getParentSpanId()));
    json.raw("\",\"name\":").string(span.getName());
    json.raw(",\"startTimeUnixNano\":\"").number(span.getStartTimeUnixNano());
    json.raw("\",\"endTimeUnixNano\":\"").number(span.getEndTimeUnixNano());
    json.raw("\",\"status\":{\"code\":").number(span.getStatus().getCodeValue());
    json.raw("},\"attributes\":[");
    Told told = new Told(span, Resource.getDefaultInstance());
    for (int i = 0; i < span.getAttributesCount(); i++) {
      json.raw(i == 0 ? "" : ",");
      String key = span.getAttributes(i).getKey();
      attribute(json, key, told.attribute(key));
    }
    json.raw("]}");
  }

  private static void attribute(JsonText json, String key, String value) {
    json.raw("{\"key\":").string(key).raw(",\"value\":{\"stringValue\":").string(value).raw("}}");
  }
}
