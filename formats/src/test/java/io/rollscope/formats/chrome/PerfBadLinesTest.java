package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.formats.scan.Skipped;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashed writers, full disks and foreign files: no good line is lost, no bad one goes unsaid. */
class PerfBadLinesTest {
  @TempDir Path folder;

  @Test
  void badLinesAreCountedWithFileAndLineAndTheOthersKept() throws Exception {
    String good = Perf.slice("good", 1, 1, 5, 5, "0");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line :
        List.of(
            good,
            "garbage",
            "{\"name\": \"n\", \"ph\": \"X\", \"ts\": \"soon\", \"args\": {\"rank\": 0}}",
            "{\"name\": \"n\", \"ph\": \"X\", \"ts\": NaN, \"args\": {\"rank\": 0}}",
            "{\"name\": \"n\", \"ph\": \"i\", \"args\": {\"loss\": Infinity, \"rank\": 0}}",
            "{\"task_id\": 1, \"session_id\": 2, \"submit_ts\": 3.0}",
            "{\"name\": \"n\", \"ph\": 3}",
            "{\"name\": \"n\", \"ph\": \"X\", \"args\": [1]}",
            "{\"name\": \"n\", \"ph\": \"X\", \"pid\": true}",
            good)) {
      bytes.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
    bytes.writeBytes("{\"name\": \"".getBytes(StandardCharsets.US_ASCII));
    bytes.write(0xFF);
    bytes.writeBytes("\", \"ph\": \"X\"}\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes((good + "\n{\"name\": \"torn").getBytes(StandardCharsets.UTF_8));
    Path file = Files.write(folder.resolve("traces-r0.jsonl"), bytes.toByteArray());

    Perf perf = Perf.usual(file);

    assertThat(perf.events()).hasSize(3);
    Skipped skipped = perf.result.skipped();
    assertThat(skipped.count()).isEqualTo(10);
    assertThat(skipped.examples())
        .extracting(Skipped.Example::line)
        .containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 11L, 13L);
    assertThat(skipped.examples().get(1).reason()).isEqualTo("ts: \"soon\" (expected: a number)");
    assertThat(skipped.examples().get(4).reason())
        .isEqualTo("no ph (expected: a Chrome trace event)");
    assertThat(skipped.examples().get(8).reason()).contains("0xff").contains("expected: UTF-8");
    assertThat(skipped.examples().get(9).reason()).startsWith("torn last line: ");
  }

  @Test
  void nanInArgumentsIsNoJson() throws Exception {
    Perf perf = Perf.usual(Perf.sample("areal/edge/perf-nan-infinity.jsonl"));

    assertThat(perf.events()).isEmpty();
    assertThat(perf.result.skipped().examples())
        .extracting(Skipped.Example::line)
        .containsExactly(4L);
  }

  @Test
  void anUnterminatedButWholeLastLineIsKept() throws Exception {
    Path file =
        Files.writeString(folder.resolve("traces-r0.jsonl"), Perf.slice("last", 1, 1, 5, 5, "0"));

    assertThat(Perf.usual(file).events()).hasSize(1);
  }

  @Test
  void sessionRowsOfATrialFolderAreNotSweptIn() throws Exception {
    Path trial = Perf.sample("areal/current/perf_tracer").getParent();

    ConvertInputs inputs = ConvertInputs.resolve(List.of(trial.toString()), new Skipped());
    Perf perf = Perf.compatible(inputs.perf().toArray(Path[]::new));

    assertThat(inputs.others()).hasSize(2);
    assertThat(perf.all()).hasSize(1457);
    assertThat(perf.result.skipped().count()).isZero();
  }

  @Test
  void anEventWithoutPidOrTidIsKeptAndGivenItsProcess() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("traces-r0.jsonl"),
            "{\"name\": \"n\", \"ph\": \"i\", \"ts\": 1, \"args\": {\"rank\": 4}}");

    Perf perf = Perf.usual(file);

    assertThat(perf.events().get(0).get("pid").asInt()).isEqualTo(1);
    assertThat(perf.events().get(0).has("tid")).isFalse();
  }
}
