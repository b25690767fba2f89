package io.rollscope.server.scrape.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that people and programs edit while it is watched. */
class TargetsFileTest {
  @TempDir private Path folder;
  private Path path;
  private TargetsFile file;
  private long modified;

  @BeforeEach
  void open() {
    path = folder.resolve("targets.yaml");
    file = new TargetsFile(path);
  }

  private boolean write(String content) throws IOException {
    Files.writeString(path, content);
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_794_725_900_000L + ++modified));
    return file.look();
  }

  @Test
  void jsonOfPrometheusIsRead() throws Exception {
    write(
        "[{\"targets\":[\"gpu1:8000\",\"gpu2:8000\"],\"labels\":{\"job\":\"vllm\",\"rank\":\"3\"}}]");

    assertThat(file.problem()).isNull();
    assertThat(file.targets()).extracting(Target::job).containsExactly("vllm", "vllm");
    assertThat(file.targets().get(1).address().text()).isEqualTo("gpu2:8000");
    assertThat(file.targets().get(1).labels()).hasToString("{rank=3}");
  }

  @Test
  void yamlWithWhatPrometheusSaysByHiddenLabelsIsRead() throws Exception {
    write(
        """
        - targets: ['node1:9100']
        - targets: ['gpu1:443']
          labels:
            rl_insight_job: engines
            __scheme__: https
            __metrics_path__: /engine/metrics
            __scrape_interval__: 1m30s
            __scrape_timeout__: 500ms
            replica: 0
        """);

    assertThat(file.problem()).isNull();
    Target engine = file.targets().get(0);
    assertThat(engine.job()).isEqualTo("engines");
    assertThat(engine.address().text()).isEqualTo("https://gpu1:443/engine/metrics");
    assertThat(engine.interval()).isEqualTo(Duration.ofSeconds(90));
    assertThat(engine.timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(engine.labels()).hasToString("{replica=0}");
    assertThat(file.targets().get(1).key()).isEqualTo(new Target.Key("metrics", "node1:9100"));
  }

  @Test
  void changesAreSeenAndNothingElseIs() throws Exception {
    assertThat(write("- targets: ['a:1']")).isTrue();
    assertThat(file.look()).isFalse();
    assertThat(write("- targets: ['a:1']")).isFalse();
    assertThat(write("- targets: ['a:2']")).isTrue();
    assertThat(file.targets()).hasSize(1);
    assertThat(write("")).isTrue();
    assertThat(file.targets()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'[{' | line 1: expected the node content, but found '<stream end>' (expected: JSON or YAML)",
        "targets: 1 | targets: no list (expected: a list such as [{\"targets\":[\"host:8000\"],\"labels\":{\"job\":\"vllm\"}}])",
        "- labels: {} | group 1: no targets (expected: a list such as [{\"targets\":[\"host:8000\"],\"labels\":{\"job\":\"vllm\"}}])",
        "- targets: [x] | group 1: target: x (expected: HOST:PORT, or a URL with http or https) (expected: targets that can be scraped)"
      })
  void whileItIsWrongWhatItLastSaidHolds(String content, String problem) throws Exception {
    write("- targets: ['a:1']");

    assertThat(write(content)).isTrue();

    assertThat(file.problem()).isEqualTo(path + ": " + problem);
    assertThat(file.targets()).hasSize(1);
    assertThat(write("- targets: ['a:1', 'a:2']")).isTrue();
    assertThat(file.problem()).isNull();
    assertThat(file.targets()).hasSize(2);
  }

  @Test
  void fileThatGoesAwayIsSaidAndItsTargetsStay() throws Exception {
    write("- targets: ['a:1']");
    Files.delete(path);

    assertThat(file.look()).isTrue();
    assertThat(file.problem()).endsWith("cannot be read (expected: a readable targets file)");
    assertThat(file.targets()).hasSize(1);
  }
}
