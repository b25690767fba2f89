package io.rollscope.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of several places wins, and what is said about values that make no sense. */
class SettingsTest {
  private static final Set<String> KNOWN =
      new TreeSet<>(Set.of("port", "otlp-http-port", "trust", "insecure", "retention", "data"));

  @TempDir Path folder;

  private Settings settings(Map<String, List<String>> flags, Map<String, String> environment)
      throws IOException {
    return Settings.gather(flags, environment, KNOWN, Set.of("trust"));
  }

  private Path config(String text) throws IOException {
    return Files.writeString(folder.resolve("rollscope.yaml"), text);
  }

  @Test
  void theCommandLineBeatsTheEnvironmentAndThatTheFile() throws IOException {
    Path file = config("port: 1\notlp-http-port: 2\nretention: 7d\n");
    Map<String, String> environment =
        Map.of("ROLLSCOPE_PORT", "3", "ROLLSCOPE_OTLP_HTTP_PORT", "4");

    Settings settings =
        settings(Map.of("port", List.of("5"), "config", List.of(file.toString())), environment);

    assertThat(settings.find("port").port()).isEqualTo(5);
    assertThat(settings.find("otlp-http-port").port()).isEqualTo(4);
    assertThat(settings.find("retention").age()).isEqualTo(Duration.ofDays(7));
    assertThat(settings.find("data")).isNull();
  }

  /** Templates of job scripts leave variables empty. */
  @Test
  void anEmptyVariableSaysNothing() throws IOException {
    assertThat(settings(Map.of(), Map.of("ROLLSCOPE_PORT", " ")).find("port")).isNull();
  }

  @Test
  void theFileMayBeNamedByTheEnvironment() throws IOException {
    Path file = config("insecure: true");

    Settings settings = settings(Map.of(), Map.of("ROLLSCOPE_CONFIG", file.toString()));

    assertThat(settings.find("insecure").isTrue()).isTrue();
  }

  @Test
  void severalValuesComeAsListOrSeparatedByCommas() throws IOException {
    Path file = config("trust:\n  - 10.0.0.0/8\n  - \"192.168.0.0/16\" # lab\n");

    assertThat(
            settings(Map.of("config", List.of(file.toString())), Map.of()).find("trust").values())
        .containsExactly("10.0.0.0/8", "192.168.0.0/16");
    assertThat(
            settings(Map.of(), Map.of("ROLLSCOPE_TRUST", "10.0.0.0/8, ::1/128"))
                .find("trust")
                .values())
        .containsExactly("10.0.0.0/8", "::1/128");
  }

  /** A typing error in a configuration file must not go unnoticed. */
  @Test
  void anUnknownKeyIsNamed() throws IOException {
    Path file = config("prot: 1");

    assertThatThrownBy(() -> settings(Map.of("config", List.of(file.toString())), Map.of()))
        .isInstanceOf(Failure.class)
        .hasMessage(
            file
                + ": unknown key prot (expected: data, insecure, otlp-http-port, port, retention,"
                + " trust)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"- a", "port: {a: 1}", "trust: [[a]]", "port: 1\nport: 2", "a: [", "\tx", "7"})
  void whatIsNoFlatYamlIsRefusedInOneLine(String text) throws IOException {
    Path file = config(text);

    assertThatThrownBy(() -> settings(Map.of("config", List.of(file.toString())), Map.of()))
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining("(expected: ")
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
  }

  @Test
  void anEmptyFileSaysNothing() throws IOException {
    Path file = config("# nothing yet\n");

    assertThat(settings(Map.of("config", List.of(file.toString())), Map.of()).find("port"))
        .isNull();
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = folder.resolve("nowhere.yaml");

    assertThatThrownBy(() -> settings(Map.of("config", List.of(file.toString())), Map.of()))
        .hasMessage("--config: " + file + " (expected: a readable YAML file)");
  }

  @ParameterizedTest
  @CsvSource({"90s,90", "30m,1800", "12h,43200", "7d,604800", "2w,1209600"})
  void agesHaveUnits(String text, long seconds) {
    assertThat(new Setting("--retention", true, List.of(text)).age())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  /** The complaint names the place, so that one knows where to look. */
  @Test
  void aWrongValueIsAWrongCallOnlyOnTheCommandLine() throws IOException {
    Path file = config("port: many");

    assertThatThrownBy(() -> settings(Map.of("port", List.of("x")), Map.of()).find("port").port())
        .isInstanceOf(WrongUsage.class)
        .hasMessage("--port: x (expected: 0 to 65535; 0 for a free one)");
    assertThatThrownBy(() -> settings(Map.of(), Map.of("ROLLSCOPE_PORT", "x")).find("port").port())
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith("ROLLSCOPE_PORT: x (expected: ");
    assertThatThrownBy(
            () ->
                settings(Map.of("config", List.of(file.toString())), Map.of()).find("port").port())
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith(file + ": port: many (expected: ");
  }
}
