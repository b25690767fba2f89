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
        new RealDisk(),
        folder,
        owner,
        new AddressRule(false),
        Duration.ofSeconds(15),
        every -> every);
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

    assertThat(files("me").write(List.of(target))).isEmpty();

    assertThat(written())
        .isEqualTo(
            JSON.readTree(
                "[{\"targets\":[\"gpu1:443\"],\"labels\":{\"job\":\"vllm\",\"replica\":\"0\","
                    + "\"__scheme__\":\"https\",\"__metrics_path__\":\"/m\",\"__param_engine\":\"0\","
                    + "\"__scrape_interval__\":\"5s\",\"__scrape_timeout__\":\"5s\","
                    + "\"__meta_rollscope\":\"me\"}}]"));
    Object before = Files.getAttribute(folder.resolve("rollscope.json"), "unix:ino");
    assertThat(files("me").write(List.of(target))).isEmpty();
    assertThat(Files.getAttribute(folder.resolve("rollscope.json"), "unix:ino")).isEqualTo(before);
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

  /** Prometheus refuses a file with a wrong label as a whole, and follows nobody any more. */
  @Test
  void parameterThatIsNoLabelNameLeavesItsTargetOutAndTheOthersIn() throws Exception {
    List<String> leftOut =
        files("me")
            .write(
                List.of(
                    target("{\"target\":\"http://h:1/m?a-b=1\"}"),
                    target("{\"target\":\"http://h:2/m?match%5B%5D=up\"}"),
                    target("{\"target\":\"http://h:3/m?a=1&a=2\"}"),
                    target("{\"target\":\"good:1\"}")));

    assertThat(leftOut).hasSize(3);
    assertThat(leftOut.get(0)).startsWith("target: http://h:1/m?a-b=1 (expected: parameters with ");
    assertThat(written()).hasSize(1);
    assertThat(written().get(0).path("targets").get(0).asText()).isEqualTo("good:1");
  }

  @Test
  void escapedAmpersandMakesNoParameterOfItsOwn() throws Exception {
    files("me").write(List.of(target("{\"target\":\"http://h:1/m?a=x%26b%3D2+y&c\"}")));

    JsonNode labels = written().get(0).path("labels");
    assertThat(labels.path("__param_a").asText()).isEqualTo("x&b=2 y");
    assertThat(labels.path("__param_c").asText()).isEmpty();
    assertThat(labels.has("__param_b")).isFalse();
  }

  /** From the operator's file, or from a book that an older version wrote. */
  @Test
  void addressesThatRollscopeDoesNotAskAreNotHandedToPrometheus() throws Exception {
    List<String> leftOut =
        files("me")
            .write(
                List.of(
                    target("{\"target\":\"169.254.169.254:80\"}"),
                    target("{\"target\":\"[64:ff9b:1::a9fe:a9fe]:80\"}"),
                    target("{\"target\":\"http://[::ffff:a9fe:a9fe]/latest\"}"),
                    target("{\"target\":\"good:1\"}")));

    assertThat(leftOut).hasSize(3).allMatch(reason -> reason.contains("--allow-link-local"));
    assertThat(written().findValuesAsText("job")).hasSize(1);
  }

  @Test
  void fileThatIsNotOursIsNotOverwritten() throws Exception {
    Files.writeString(folder.resolve("rollscope.json"), "not JSON");

    assertThatThrownBy(() -> files("me").write(List.of(target("{\"target\":\"a:1\"}"))))
        .hasMessageContaining("no JSON (expected: groups of targets; left as it is)");
    assertThat(folder.resolve("rollscope.json")).hasContent("not JSON");
  }
}
