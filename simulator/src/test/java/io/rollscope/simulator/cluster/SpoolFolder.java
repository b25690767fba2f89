package io.rollscope.simulator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A written spool folder, read by other means than the product's. */
public final class SpoolFolder {

  /** A span; one that is open ends at 0. */
  public record ReadSpan(
      String id,
      String parent,
      String name,
      String process,
      long startNs,
      long endNs,
      Map<String, String> attributes) {

    public String attribute(String key) {
      return attributes.get(key);
    }

    public double seconds() {
      return (endNs - startNs) / 1e9;
    }

    boolean contains(long ns) {
      return ns > startNs && ns < endNs;
    }

    /** Whether an engine works on it then: it waits no longer in a queue. */
    boolean worksAt(long ns) {
      double queueS = Double.parseDouble(attribute("gen_ai.latency.time_in_queue"));
      // Times in a queue are told to a tenth of a millisecond.
      return ns >= startNs + Math.round(queueS * 1e9) + 100_000 && ns < endNs;
    }
  }

  private final List<ReadSpan> spans = new ArrayList<>();
  private final Map<String, ReadSpan> byId = new HashMap<>();
  private final Map<String, ReadSpan> started = new HashMap<>();
  private final Set<String> processes = new HashSet<>();
  private final Map<String, Long> beats = new HashMap<>();
  private final Map<String, Long> dropped = new HashMap<>();
  private int ends;

  /** The text of each file. */
  public static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : files(folder)) {
      contents.put(file.getFileName().toString(), Files.readString(file));
    }
    return contents;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  public static SpoolFolder read(Path folder) throws IOException {
    SpoolFolder read = new SpoolFolder();
    ObjectMapper json = new ObjectMapper();
    for (Path file : files(folder)) {
      for (String line : Files.readAllLines(file)) {
        read.line(json.readTree(line));
      }
    }
    return read;
  }

  private void line(JsonNode line) {
    for (JsonNode resource : line.path("resourceSpans")) {
      String process = process(resource);
      resource
          .at("/scopeSpans/0/spans")
          .forEach(
              node ->
                  add(
                      span(
                          node,
                          process,
                          node.get("name").asText(),
                          node.get("startTimeUnixNano").asLong(),
                          node.get("endTimeUnixNano").asLong())));
    }
    for (JsonNode resource : line.path("resourceLogs")) {
      String process = process(resource);
      resource.at("/scopeLogs/0/logRecords").forEach(node -> record(node, process));
    }
  }

  private void add(ReadSpan span) {
    spans.add(span);
    byId.put(span.id, span);
  }

  private void record(JsonNode node, String process) {
    switch (node.get("eventName").asText()) {
      case "rollscope.span.start" -> {
        String name = attributes(node).get("rollscope.span.name");
        ReadSpan span = span(node, process, name, node.get("timeUnixNano").asLong(), 0);
        started.put(span.id, span);
      }
      case "rollscope.beat" -> {
        beats.put(process, node.get("timeUnixNano").asLong());
        dropped.put(process, Long.parseLong(attributes(node).get("rollscope.dropped.spans")));
      }
      case "rollscope.process.end" -> ends++;
      default -> throw new AssertionError(node);
    }
  }

  private String process(JsonNode resource) {
    Map<String, String> about = attributes(resource.get("resource"));
    String process = about.get("rl.worker.role") + ":" + about.get("rl.worker.rank");
    processes.add(process);
    return process;
  }

  private static ReadSpan span(
      JsonNode node, String process, String name, long startNs, long endNs) {
    return new ReadSpan(
        node.get("spanId").asText(),
        node.has("parentSpanId") ? node.get("parentSpanId").asText() : null,
        name,
        process,
        startNs,
        endNs,
        attributes(node));
  }

  private static Map<String, String> attributes(JsonNode node) {
    Map<String, String> attributes = new HashMap<>();
    node.path("attributes")
        .forEach(
            pair ->
                attributes.put(
                    pair.get("key").asText(), pair.get("value").elements().next().asText()));
    return attributes;
  }

  /** Spans that ended. */
  public List<ReadSpan> spans() {
    return spans;
  }

  public List<ReadSpan> spansNamed(String name) {
    return spans.stream().filter(span -> span.name.equals(name)).toList();
  }

  /** The span with this id; there is one. */
  ReadSpan span(String id) {
    return java.util.Objects.requireNonNull(byId.get(id), id);
  }

  /** Spans that started and did not end. */
  public List<ReadSpan> openSpans() {
    Set<String> ended = new HashSet<>();
    spans.forEach(span -> ended.add(span.id));
    return started.values().stream().filter(span -> !ended.contains(span.id)).toList();
  }

  public Set<String> processes() {
    return processes;
  }

  /** When a process told last that it lives. */
  public long lastBeatNs(String process) {
    return beats.get(process);
  }

  /** How many spans a process says to have dropped. */
  public long dropped(String process) {
    return dropped.get(process);
  }

  /** How many processes said that they end. */
  int ends() {
    return ends;
  }
}
