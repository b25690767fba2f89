package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Tag;

@Tag("fuzz")
class ArealPerfFuzzTest extends FuzzedReader {
  private static final Set<String> WITH_TIME = Set.of("X", "i", "I", "B", "E");
  private static final ObjectMapper JSON = new ObjectMapper();

  ArealPerfFuzzTest() {
    super(Sort.AREAL_PERF, "areal/current/perf_tracer/traces-r0.jsonl");
  }

  /**
   * Names of threads and arrows between events say nothing about time: neither kept nor skipped.
   */
  @Override
  void requireAllAccountedFor(ReadTraces read, List<String> written) {
    long accounted = Sort.AREAL_PERF.kept(read) + read.skipped().count();
    long silent = written.stream().filter(line -> !WITH_TIME.contains(phase(line))).count();

    assertThat(accounted).isBetween(written.size() - silent, (long) written.size());
  }

  private static String phase(String line) {
    try {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      return JSON.readTree(new String(bytes, StandardCharsets.UTF_8)).path("ph").asText();
    } catch (JsonProcessingException e) {
      return "X"; // refused
    }
  }
}
