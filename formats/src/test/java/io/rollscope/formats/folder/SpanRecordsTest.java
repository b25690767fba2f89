package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SpanRecordsTest {

  /** `session` printed whole export requests as events, with other sessions' records in them. */
  @Test
  void onlyTheSessionsOwnRecordsAreItsEvents() {
    String mine =
        "{\"traceId\":\"t\", \"spanId\": \"00000000000000AB\",\"name\":\"a } \\\" {\","
            + "\"attributes\":[{\"key\":\"k\",\"value\":{\"stringValue\":\"spanId\"}}]}";
    String child = "{\"spanId\":\"00000000000000cd\",\"parentSpanId\":\"00000000000000ab\"}";
    String line =
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[" + child + "," + mine + "]}]}]}";

    assertThat(SpanRecords.of(line, Set.of("00000000000000ab"))).containsExactly(mine);
    assertThat(SpanRecords.of(line, Set.of("00000000000000cd"))).containsExactly(child);
    assertThat(SpanRecords.of(line.substring(0, 60), Set.of("00000000000000ab"))).isEmpty();
  }
}
