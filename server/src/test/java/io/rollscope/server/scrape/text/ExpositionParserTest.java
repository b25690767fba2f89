package io.rollscope.server.scrape.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.server.scrape.Expositions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both formats, as endpoints write them and as they should not. */
class ExpositionParserTest {

  private static Sample only(String... lines) throws ExpositionException {
    List<Family> families = Expositions.text(lines);
    assertThat(families).hasSize(1);
    assertThat(families.get(0).samples()).hasSize(1);
    return families.get(0).samples().get(0);
  }

  private static Family named(List<Family> families, String name) {
    return families.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  /** What vLLM serves. */
  @ParameterizedTest
  @ValueSource(strings = {"vllm.txt", "vllm.openmetrics"})
  void enginesMetricsHaveTheirTypesInBothFormats(String file) throws Exception {
    List<Family> families = Expositions.families(file);

    assertThat(named(families, "vllm:num_requests_running").type()).isEqualTo(Family.Type.GAUGE);
    Family latency = named(families, "vllm:e2e_request_latency_seconds");
    assertThat(latency.type()).isEqualTo(Family.Type.HISTOGRAM);
    assertThat(latency.samples().get(0))
        .isEqualTo(
            new Sample(
                "vllm:e2e_request_latency_seconds_bucket",
                Labels.of(Map.of("engine", "0", "le", "0.3", "model_name", "Qwen/Qwen3-8B")),
                1,
                Sample.NOW));
    String counter = file.endsWith("txt") ? "vllm:num_preemptions_total" : "vllm:num_preemptions";
    assertThat(named(families, counter).type()).isEqualTo(Family.Type.COUNTER);
    assertThat(named(families, counter).samples().get(0).name())
        .isEqualTo("vllm:num_preemptions_total");
  }

  @Test
  void escapesOfLabelValuesAreUndone() throws Exception {
    List<Family> families = Expositions.families("hub.openmetrics");

    assertThat(named(families, "awkward").samples().get(0).labels().get("path"))
        .isEqualTo("C:\\dir \"x\"\nü");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-1.5e-07, -1.5e-7",
    "+Inf, Infinity",
    "-inf, -Infinity",
    "NaN, NaN",
    "0x1p-2, 0.25",
    ".5, 0.5"
  })
  void numbersAreReadAsPrometheusReadsThem(String text, Double value) throws Exception {
    assertThat(only("x " + text).value()).isEqualTo(value);
  }

  @Test
  void timesAreMillisecondsOrSecondsByFormat() throws Exception {
    assertThat(only("x 1 1794725807123").timeNs()).isEqualTo(1_794_725_807_123_000_000L);
    List<Family> open = Expositions.parse(true, "x 1 1794725807.5", "# EOF");
    assertThat(open.get(0).samples().get(0).timeNs()).isEqualTo(1_794_725_807_500_000_000L);
  }

  /** Some exporters pad with tabs, end lines as Windows does, or leave a comma behind. */
  @ParameterizedTest
  @ValueSource(
      strings = {"x{a=\"b\"} 1", "x\t{ a = \"b\" , }\t1", "x{a=\"b\",}1\r", "{\"x\",a=\"b\"} 1"})
  void blanksAndCommasDoNotMatter(String line) throws Exception {
    Sample sample = only(line);

    assertThat(sample.name()).isEqualTo("x");
    assertThat(sample.labels()).isEqualTo(Labels.of(Map.of("a", "b")));
    assertThat(sample.value()).isEqualTo(1);
  }

  @Test
  void exemplarsArePassedOver() throws Exception {
    List<Family> families =
        Expositions.parse(
            true, "# TYPE a histogram", "a_bucket{le=\"1\"} 2 # {trace_id=\"x\"} 0.5 1.5", "# EOF");

    assertThat(families.get(0).samples().get(0).value()).isEqualTo(2);
  }

  @Test
  void samplesFindTheirFamilyAlsoWhenTheyAreMixed() throws Exception {
    List<Family> families =
        Expositions.text(
            "# TYPE a histogram",
            "# TYPE b counter",
            "a_bucket{le=\"+Inf\"} 1",
            "b 2",
            "a_sum 3",
            "a_counted 4",
            "a_count 1");

    assertThat(families).extracting(Family::name).containsExactly("a", "b", "a_counted");
    assertThat(named(families, "a").samples())
        .extracting(Sample::name)
        .containsExactly("a_bucket", "a_sum", "a_count");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1x 1 | line 1, column 1: something else (expected: a metric's name)",
        "x | line 1, column 2: a metric without a value (expected: a number)",
        "x 1d | line 1, column 3: a value that is none (expected: a number)",
        "x 1_000 | line 1, column 3: a value that is none (expected: a number)",
        "x 1 2 3 | line 1, column 7: something else (expected: the end of the line)",
        "x{a=\"b} 1 | line 1, column 10: a text without end (expected: '\"')",
        "x{a} 1 | line 1, column 4: something else (expected: '=')",
        "x{a=\"1\",a=\"2\"} 1 | line 1, column 14: a label twice (expected: each label once)",
        "{a=\"1\"} 1 | line 1, column 8: labels without a metric (expected: a metric's name)",
        "<html> | line 1, column 1: something else (expected: a metric's name)",
        "# TYPE x thing | line 1, column 15: an unknown type (expected: counter, gauge, histogram, summary or"
            + " untyped)"
      })
  void wrongLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> Expositions.text(line)).hasMessage(message);
  }

  /** A target that dies while it answers. */
  @Test
  void openMetricsThatIsCutOffIsRefused() {
    assertThatThrownBy(() -> Expositions.parse(true, "x 1"))
        .hasMessage("line 1, column 1: the end (expected: # EOF: the exposition is cut off)");
    assertThatThrownBy(() -> Expositions.parse(true, "x 1", "# EOF", "y 1"))
        .hasMessage("line 3, column 1: more lines (expected: nothing after # EOF)");
  }

  @Test
  void tooManySamplesAreRefused() {
    String[] lines =
        Stream.iterate(0, n -> n + 1)
            .limit(101)
            .map(n -> "x{n=\"" + n + "\"} 1")
            .toArray(String[]::new);

    assertThatThrownBy(() -> Expositions.text(lines))
        .hasMessage("line 101, column 13: too many samples (expected: at most 100 of a target)");
  }
}
