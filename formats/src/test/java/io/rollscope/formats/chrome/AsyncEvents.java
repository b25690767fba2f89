package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.core.table.SpanTable;
import io.rollscope.formats.output.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Converts sessions for tests and replays the result as a viewer does. */
final class AsyncEvents {
  final JsonNode trace;
  final SessionsConverter.Result result;

  /** Slices that were opened inside others: name of the inner to name of the outer. */
  final List<String> nested = new ArrayList<>();

  private AsyncEvents(JsonNode trace, SessionsConverter.Result result) {
    this.trace = trace;
    this.result = result;
  }

  static AsyncEvents of(SpanTable table, long now) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputFile out = OutputFile.to(bytes)) {
      SessionsConverter.Result result = new SessionsConverter(table, now, "ms").convert(out);
      out.commit();
      return new AsyncEvents(Perf.JSON.readTree(bytes.toByteArray()), result);
    }
  }

  List<JsonNode> withPhase(String phase) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode event : trace.get("traceEvents")) {
      if (event.get("ph").asText().equals(phase)) {
        found.add(event);
      }
    }
    return found;
  }

  /** Opens and closes the slices of each id like brackets; times of an id never go back. */
  void replay() {
    Map<String, ArrayDeque<String>> open = new HashMap<>();
    Map<String, Double> clock = new HashMap<>();
    for (JsonNode event : trace.get("traceEvents")) {
      String phase = event.get("ph").asText();
      if (phase.equals("M") || phase.equals("n")) {
        continue;
      }
      String id = event.get("cat").asText() + event.get("id").asText();
      double time = event.get("ts").asDouble();
      assertThat(time).isGreaterThanOrEqualTo(clock.getOrDefault(id, 0.0));
      clock.put(id, time);
      ArrayDeque<String> stack = open.computeIfAbsent(id, k -> new ArrayDeque<>());
      String name = event.get("name").asText();
      if (phase.equals("b")) {
        if (!stack.isEmpty()) {
          nested.add(name + " in " + stack.peek());
        }
        stack.push(name);
      } else {
        assertThat(phase).isEqualTo("e");
        assertThat(stack.poll()).isEqualTo(name);
      }
    }
    assertThat(open.values()).allMatch(ArrayDeque::isEmpty);
  }
}
