package io.rollscope.formats.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.rollscope.formats.folder.ReadTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeepTraceTest {
  private static final int SPANS = 50_000;

  @TempDir Path folder;

  /** An agent whose every turn is the parent of the next, and no span names a session. */
  @Test
  void aChainOfParentsTakesNoQuadraticTime() throws IOException {
    StringBuilder request = new StringBuilder("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[");
    // Children first, as exporters send them.
    for (int i = SPANS; i > 0; i--) {
      request.append(i == SPANS ? "" : ",").append(span(i));
    }
    Files.writeString(folder.resolve("traces.jsonl"), request.append("]}]}]}\n"));

    ReadTraces read = assertTimeout(Duration.ofSeconds(20), () -> ReadTraces.all(folder));

    assertThat(read.sessionIds()).containsExactly("0".repeat(31) + "1");
    assertThat(read.table().rows()).isEqualTo(SPANS);
  }

  private static String span(int i) {
    String parent = i == 1 ? "" : String.format("%016x", i - 1);
    return String.format(
        "{\"traceId\":\"%032x\",\"spanId\":\"%016x\",\"parentSpanId\":\"%s\",\"name\":\"turn\","
            + "\"startTimeUnixNano\":\"%d\",\"endTimeUnixNano\":\"%d\"}",
        1, i, parent, 1_000 + i, 1_000_000 - i);
  }
}
