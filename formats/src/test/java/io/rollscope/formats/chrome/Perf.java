package io.rollscope.formats.chrome;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.formats.output.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Converts perf traces for tests and looks at the result. */
final class Perf {
  static final ObjectMapper JSON = new ObjectMapper();

  final JsonNode trace;
  final PerfConverter.Result result;

  private Perf(JsonNode trace, PerfConverter.Result result) {
    this.trace = trace;
    this.result = result;
  }

  static Perf compatible(Path... files) throws IOException {
    return convert(PerfConverter.Options.likeAreal(), files);
  }

  static Perf usual(Path... files) throws IOException {
    return convert(PerfConverter.Options.usual(), files);
  }

  static Perf convert(PerfConverter.Options options, Path... files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputFile out = OutputFile.to(bytes)) {
      PerfConverter.Result result = new PerfConverter(options).convert(List.of(files), out);
      out.commit();
      return new Perf(JSON.readTree(bytes.toByteArray()), result);
    }
  }

  static Path sample(String name) {
    try {
      return Path.of(Objects.requireNonNull(Perf.class.getResource("/samples/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Path[] sampleTrial() {
    return new Path[] {
      sample("areal/current/perf_tracer/traces-r0.jsonl"),
      sample("areal/current/perf_tracer/traces-r1.jsonl")
    };
  }

  static Path write(Path file, String... lines) throws IOException {
    return Files.writeString(file, String.join("\n", lines) + "\n");
  }

  /** A complete event; behind the rank there may be further keys of args. */
  static String slice(String name, int ts, int dur, int pid, int tid, String rankAndMore) {
    return String.format(
        "{\"name\": \"%s\", \"ph\": \"X\", \"ts\": %d, \"dur\": %d, \"pid\": %d, \"tid\": %d,"
            + " \"args\": {\"rank\": %s}}",
        name, ts, dur, pid, tid, rankAndMore);
  }

  List<JsonNode> all() {
    List<JsonNode> all = new ArrayList<>();
    trace.get("traceEvents").forEach(all::add);
    return all;
  }

  /** Events that are no metadata, in order. */
  List<JsonNode> events() {
    return all().stream().filter(e -> !e.get("ph").asText().equals("M")).toList();
  }

  /** Values of {@code args.name} of this kind of metadata, in order. */
  List<String> names(String kind) {
    return metadata(kind).map(e -> e.at("/args/name").asText()).toList();
  }

  Stream<JsonNode> metadata(String kind) {
    return all().stream().filter(e -> e.get("name").asText().equals(kind));
  }

  JsonNode event(Predicate<JsonNode> wanted) {
    return events().stream().filter(wanted).findFirst().orElseThrow();
  }

  static List<Integer> ints(List<JsonNode> events, String pointer) {
    return events.stream().map(e -> e.at(pointer).asInt()).toList();
  }
}
