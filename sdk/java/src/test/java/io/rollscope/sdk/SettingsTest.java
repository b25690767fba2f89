package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.setting.Choices;
import io.rollscope.sdk.internal.setting.Endpoints;
import io.rollscope.sdk.internal.setting.Environment;
import io.rollscope.sdk.internal.setting.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code before ROLLSCOPE_ before OTEL_ before defaults, and nonsense in each of them. */
class SettingsTest {
  private final List<String> told = new ArrayList<>();
  private final Map<String, String> variables = new HashMap<>();
  private final Choices code = new Choices();

  private final Warnings warnings = new Warnings(told::add);

  private Environment environment() {
    return new Environment(variables, warnings);
  }

  private Settings settings() {
    return Settings.of(code, environment());
  }

  private URI traces() {
    return settings().endpoints().get(Signal.TRACES);
  }

  @Test
  void offWithoutAnyWord() {
    assertThat(settings().enabled()).isFalse();
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ROLLSCOPE_URL,host:4318",
    "ROLLSCOPE_SPOOL,spool",
    "OTEL_EXPORTER_OTLP_ENDPOINT,http://host:4318",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,http://host:4318/x",
    "ROLLSCOPE_ENABLED,yes"
  })
  void onWhenSomethingIsConfigured(String name, String value) {
    variables.put(name, value);
    assertThat(settings().enabled()).isTrue();
  }

  @Test
  void explicitWordsWin() {
    variables.put("ROLLSCOPE_URL", "host:4318");
    variables.put("OTEL_SDK_DISABLED", "true");
    assertThat(settings().enabled()).isFalse();
    variables.put("ROLLSCOPE_ENABLED", "on");
    assertThat(settings().enabled()).isTrue();
    code.enabled = false;
    assertThat(settings().enabled()).isFalse();
  }

  @Test
  void addressesComeInTheirOrder() {
    assertThat(traces()).hasToString("http://127.0.0.1:4318/v1/traces");
    variables.put("OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel:1/base/");
    variables.put("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:2/as/it/is");
    assertThat(traces()).hasToString("http://traces:2/as/it/is");
    assertThat(settings().endpoints().get(Signal.LOGS)).hasToString("https://otel:1/base/v1/logs");
    variables.put("ROLLSCOPE_URL", "host:4318");
    assertThat(traces()).hasToString("http://host:4318/v1/traces");
    code.endpoints = Endpoints.below("code:3");
    assertThat(traces()).hasToString("http://code:3/v1/traces");
    variables.put("ROLLSCOPE_SPOOL", "somewhere");
    assertThat(settings().endpoints()).isNull();
    assertThat(settings().spool().root()).isEqualTo(Path.of("somewhere"));
  }

  @Test
  void runAndWorkerAreNamed() {
    assertThat(settings().run()).isNotBlank();
    variables.put("ROLLSCOPE_RUN", "grpo");
    variables.put("SLURM_PROCID", "3");
    variables.put("RANK", "none");
    assertThat(settings().runId()).isEqualTo("grpo");
    assertThat(settings().rank()).isEqualTo(3);
    assertThat(told)
        .containsExactly(
            "rollscope: RANK: none (expected: a whole number of at least 0); not used");
    variables.put("ROLLSCOPE_RUN_ID", "grpo-17");
    variables.put("ROLLSCOPE_PROJECT", "math");
    assertThat(settings().runId()).isEqualTo("grpo-17");
    assertThat(settings().service()).isEqualTo("math");
  }

  @Test
  void badVariablesAreToldAndNotUsed() {
    variables.putAll(
        Map.of(
            "ROLLSCOPE_URL", "ftp://x",
            "ROLLSCOPE_ENABLED", "perhaps",
            "ROLLSCOPE_SPOOL", "a\0b",
            "ROLLSCOPE_VIEWER", "2",
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://[",
            "OTEL_EXPORTER_OTLP_TIMEOUT", "-1",
            "OTEL_EXPORTER_OTLP_COMPRESSION", "zip",
            "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
            "OTEL_EXPORTER_OTLP_CERTIFICATE", "/no/such/file",
            "OTEL_EXPORTER_OTLP_HEADERS", "a=b%20c,nonsense,=x"));
    Environment environment = environment();
    Settings settings = Settings.of(code, environment);
    OtlpTransport.Setup otlp = settings.otlp(settings.endpoints(), environment);

    assertThat(settings.enabled()).isFalse();
    assertThat(otlp.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(otlp.gzip()).isFalse();
    assertThat(otlp.tls()).isNull();
    assertThat(otlp.headers()).containsExactly(Map.entry("a", "b c"));
    assertThat(told).hasSize(10).allMatch(t -> t.contains("(expected: "));
  }

  private String spoolFolder(String... namesAndValues) {
    variables.clear();
    variables.put("ROLLSCOPE_SPOOL", "all");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      variables.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings().spool().folder("my run/7").getFileName().toString();
  }

  @Test
  void eachStartHasAFolder() {
    assertThat(spoolFolder()).matches("my_run_7-\\d{8}T\\d{6}").isEqualTo(spoolFolder());
    assertThat(spoolFolder("SLURM_JOB_ID", "7", "SLURM_RESTART_COUNT", "0"))
        .isEqualTo("my_run_7-7");
    assertThat(spoolFolder("SLURM_JOB_ID", "7", "SLURM_RESTART_COUNT", "1"))
        .isEqualTo("my_run_7-7.1");
    assertThat(spoolFolder("PBS_JOBID", "4711[3]")).isEqualTo("my_run_7-4711_3_");
    assertThat(spoolFolder("LSB_JOBID", "1")).isEqualTo("my_run_7-1");
    assertThat(spoolFolder("TORCHELASTIC_RUN_ID", "x", "SLURM_RESTART_COUNT", "1"))
        .isEqualTo("my_run_7-x");
    assertThat(spoolFolder("TORCHELASTIC_RUN_ID", "none")).matches("my_run_7-\\d{8}T\\d{6}");
    assertThat(spoolFolder("ROLLSCOPE_SPOOL_START", "../ü", "SLURM_JOB_ID", "7"))
        .isEqualTo("my_run_7-.._");
    assertThat(settings().spool().folder("." + "x".repeat(999)).getFileName().toString())
        .isEqualTo("x".repeat(200));
  }

  @ParameterizedTest
  @CsvSource({
    "1048576,1048576",
    "20G,21474836480",
    "3m,3145728",
    "2T,2199023255552",
    "1048575,0",
    "1K,0",
    "-1,0",
    "9999999T,0",
    "5 GB,0"
  })
  void limitOfAFolderHasAUnit(String text, long bytes) {
    variables.put("ROLLSCOPE_SPOOL", "all");
    variables.put("ROLLSCOPE_SPOOL_MAX_BYTES", text);
    assertThat(settings().spool().maxBytes()).isEqualTo(bytes);
    assertThat(told)
        .isEqualTo(
            bytes > 0
                ? List.of()
                : List.of(
                    "rollscope: ROLLSCOPE_SPOOL_MAX_BYTES: "
                        + text
                        + " (expected: bytes, at least 1048576, or a text like 20G); not used"));
  }

  @Test
  void zstdIsThePythonSdks() {
    variables.put("ROLLSCOPE_SPOOL", "all");
    variables.put("ROLLSCOPE_SPOOL_COMPRESS", "zstd");
    assertThat(settings().spool().isCompressed()).isTrue();
    assertThat(told)
        .containsExactly(
            "rollscope: ROLLSCOPE_SPOOL_COMPRESS: zstd (expected: gzip or none); not used");
    variables.put("ROLLSCOPE_SPOOL_COMPRESS", "none");
    assertThat(settings().spool().isCompressed()).isFalse();
    code.spoolCompress = "gzip";
    assertThat(settings().spool().isCompressed()).isTrue();
  }

  @Test
  void tokenBecomesAHeader() {
    variables.put("ROLLSCOPE_TOKEN", "secret");
    Settings settings = settings();
    assertThat(settings.otlp(settings.endpoints(), environment()).headers())
        .containsEntry("Authorization", "Bearer secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "ftp://host", "http://", "host:99999", "http://ho st", "://"})
  void badAddressInCodeThrows(String endpoint) {
    assertThatThrownBy(() -> Rollscope.builder().endpoint(endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("endpoint: " + endpoint + " (expected: ");
  }

  @Test
  void badValuesInCodeThrow() {
    RollscopeBuilder builder = Rollscope.builder();
    assertThatThrownBy(() -> builder.buffer(0)).hasMessage("buffer: 0 (expected: at least 1)");
    assertThatThrownBy(() -> builder.rank(-1)).hasMessage("rank: -1 (expected: at least 0)");
    assertThatThrownBy(() -> builder.run("")).hasMessage("run:  (expected: some text)");
    assertThatThrownBy(() -> builder.spool(null)).hasMessageContaining("expected: a folder");
    assertThatThrownBy(() -> builder.spoolCompress("zstd"))
        .hasMessage("spoolCompress: zstd (expected: gzip or none)");
    assertThatThrownBy(() -> builder.spoolMaxBytes(1))
        .hasMessage("spoolMaxBytes: 1 (expected: at least 1048576)");
    assertThatThrownBy(() -> builder.content(0)).hasMessageContaining("content: 0");
    assertThatThrownBy(() -> builder.deadline(Duration.ofSeconds(-1)))
        .hasMessageContaining("expected: 0 or more");
    assertThatThrownBy(() -> builder.buckets(1, 1)).hasMessageContaining("[1.0, 1.0]");
  }

  @Test
  void contentIsKeptWhenAskedForAndCut() {
    Quick quick = new Quick();
    try (Rollscope rs = quick.builder().content(300).attributeLength(20).build()) {
      rs.phase("a").set("prompt", "p".repeat(1_000)).set("other", "o".repeat(1_000)).close();
    }
    assertThat(quick.transport.spans().get(0).getAttributesList())
        .extracting(a -> a.getKey() + " " + a.getValue().getStringValue().length())
        .containsExactly("rl.kind 2", "prompt 300", "other 20", "rollscope.cut 8");
  }

  @Test
  void resourceSaysWhoItIs() throws Exception {
    Quick quick = new Quick();
    variables.put("OTEL_RESOURCE_ATTRIBUTES", "k8s.pod=p-1,host.name=other");
    try (Rollscope rs = quick.builder(variables).run("r").resource("rl.system", "mine").build()) {
      rs.phase("a").close();
    }
    var request =
        io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest.parseFrom(
            quick.transport.arrived.stream()
                .filter(r -> r.signal() == Signal.TRACES)
                .findFirst()
                .orElseThrow()
                .body());
    Map<String, String> resource = new HashMap<>();
    request
        .getResourceSpans(0)
        .getResource()
        .getAttributesList()
        .forEach(a -> resource.put(a.getKey(), a.getValue().getStringValue()));
    assertThat(resource)
        .containsEntry("service.name", "rollscope")
        .containsEntry("k8s.pod", "p-1")
        .containsEntry("rl.system", "mine")
        .containsEntry("rl.run.id", "r")
        .containsEntry("telemetry.sdk.name", "rollscope");
    assertThat(resource.get("host.name")).isNotEqualTo("other");
    assertThat(resource.get("service.instance.id")).hasSize(36);
  }
}
