package io.rollscope.server.scrape.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.store.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that belongs to somebody's Prometheus. tests/metrics has a real one look at it. */
class PrometheusFilesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private PrometheusFiles files(String owner) {
    return new PrometheusFiles(
        new RealDisk(), folder, owner, Duration.ofSeconds(15), every -> every);
  }

  private static Target target(String json) throws Exception {
    return TargetJson.read(JSON.readTree(json), 1);
  }

  private JsonNode written() throws IOException {
    return JSON.readTree(folder.resolve("rollscope.json").toFile());
  }

  @Test
  void targetsAreWrittenAsPrometheusReadsThem() throws Exception {
    Target target =
        target(
            "{\"target\":\"https://gpu1/m?engine=0\",\"job\":\"vllm\",\"labels\":{\"replica\":\"0\"},"
                + "\"interval_s\":5}");

    assertThat(files("me").write(List.of(target))).isTrue();

    assertThat(written())
        .isEqualTo(
            JSON.readTree(
                "[{\"targets\":[\"gpu1:443\"],\"labels\":{\"job\":\"vllm\",\"replica\":\"0\","
                    + "\"__scheme__\":\"https\",\"__metrics_path__\":\"/m\",\"__param_engine\":\"0\","
                    + "\"__scrape_interval__\":\"5s\",\"__scrape_timeout__\":\"5s\","
                    + "\"__meta_rollscope\":\"me\"}}]"));
    assertThat(files("me").write(List.of(target))).isFalse();
    assertThat(folder.toFile().list()).containsExactly("rollscope.json");
  }

  /** Another Rollscope, or somebody's editor, writes into the same file. */
  @Test
  void groupsOfOthersStay() throws Exception {
    Files.writeString(folder.resolve("rollscope.json"), "[{\"targets\":[\"hand:1\"]}]");
    Files.writeString(folder.resolve("other.yml"), "- targets: ['x:1']");
    files("me").write(List.of(target("{\"target\":\"a:1\"}")));
    files("other").write(List.of(target("{\"target\":\"b:1\"}")));

    files("me").write(List.of(target("{\"target\":\"c:1\"}")));

    assertThat(written().findValuesAsText("__meta_rollscope")).containsExactly("other", "me");
    assertThat(written().get(0).path("targets").get(0).asText()).isEqualTo("hand:1");
    assertThat(written()).hasSize(3);
    assertThat(folder.resolve("other.yml")).hasContent("- targets: ['x:1']");
  }

  @Test
  void fileThatIsNotOursIsNotOverwritten() throws Exception {
    Files.writeString(folder.resolve("rollscope.json"), "not JSON");

    assertThatThrownBy(() -> files("me").write(List.of(target("{\"target\":\"a:1\"}"))))
        .hasMessageContaining("no JSON (expected: groups of targets; left as it is)");
    assertThat(folder.resolve("rollscope.json")).hasContent("not JSON");
  }
}
