package io.rollscope.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Text that is no good text. */
class JsonReportTest {
  /** What a tool answered was cut between two halves of a character. */
  @Test
  void halvesOfCharactersAreReplacedAndWholeOnesKept() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonReport.writeCompact(Map.of("k\ud800", "a\ud83d\ude00b\udc00\ud83d"), out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("{\"k\uFFFD\":\"a\\uD83D\\uDE00b\uFFFD\uFFFD\"}");
  }

  @Test
  void columnsAreLists() throws IOException {
    record Columns(int[] place, long[] startNs, double[] wallS, boolean[] open, Long[] step) {}
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonReport.writeCompact(
        new Columns(
            new int[] {1, -1},
            new long[] {5},
            new double[] {.5, Double.NaN},
            new boolean[] {true},
            new Long[] {null, 3L}),
        out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"place\":[1,-1],\"start_ns\":[5],\"wall_s\":[0.5,null],\"open\":[true],\"step\":[null,3]}");
  }
}
