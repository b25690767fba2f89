package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.formats.output.OutputFile;
import io.rollscope.formats.scan.Skipped;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The converter part of the acceptance list in the description of AReaL's formats. */
class PerfAcceptanceTest {
  @TempDir Path folder;

  @Test
  void a19_oneFileWithoutRankOnMetadata() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("rank.jsonl"),
            "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 5, \"tid\": 7, \"args\": {\"name\":"
                + " \"worker\"}}",
            Perf.slice("a", 3, 1, 5, 7, "0"),
            Perf.slice("b", 2, 1, 5, 8, "\"0\""));

    Perf perf = Perf.compatible(file);

    assertThat(perf.trace.get("displayTimeUnit").asText()).isEqualTo("ms");
    assertThat(perf.names("process_name")).containsExactly("[Rank 0, Process 5]");
    assertThat(perf.names("thread_name")).containsExactly("[Thread 7]", "[Thread 8]");
    assertThat(Perf.ints(perf.events(), "/ts")).containsExactly(2, 3);
    assertThat(Perf.ints(perf.events(), "/pid")).containsOnly(1);
    assertThat(Perf.ints(perf.events(), "/tid")).containsExactly(2, 1);
  }

  @Test
  void a20_ranksOfAFolderGetProcessesOfTheirOwn() throws Exception {
    Perf.write(folder.resolve("traces-r0.jsonl"), Perf.slice("a", 5, 1, 1, 3, "0"));
    Perf.write(folder.resolve("traces-r1.jsonl"), Perf.slice("a", 4, 1, 1, 3, "1"));
    ConvertInputs inputs = ConvertInputs.resolve(List.of(folder.toString()), new Skipped());

    Perf perf = Perf.compatible(inputs.perf().toArray(Path[]::new));

    assertThat(Perf.ints(perf.metadata("process_name").toList(), "/args/rank"))
        .containsExactly(0, 1);
    assertThat(Perf.ints(perf.events(), "/ts")).containsExactly(4, 5);
    assertThat(Perf.ints(perf.events(), "/pid")).containsExactly(2, 1);
    assertThat(Perf.ints(perf.events(), "/tid")).containsExactly(2, 1);
  }

  @Test
  void a21_globWithoutMatchIsNotFound() {
    String glob = folder.resolve("*.jsonl").toString();

    assertThatThrownBy(() -> ConvertInputs.resolve(List.of(glob), new Skipped()))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("input: " + glob + " (expected: ");
  }

  @Test
  void a22_resultGoesBesideTheFileIntoTheFolderOrToStdout() throws Exception {
    Path first = Perf.write(folder.resolve("rank.jsonl"), Perf.slice("a", 1, 1, 1, 1, "0"));
    assertThat(defaultOutput(first.toString())).isEqualTo(folder.resolve("rank.json"));

    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    try (OutputFile out = OutputFile.to(stdout)) {
      new PerfConverter(PerfConverter.Options.usual()).convert(List.of(first), out);
      out.commit();
    }
    assertThat(Perf.JSON.readTree(stdout.toByteArray()).get("traceEvents")).isNotEmpty();

    Path second = Perf.write(folder.resolve("rank2.jsonl"), Perf.slice("a", 1, 1, 1, 1, "1"));
    String glob = folder.resolve("rank*.jsonl").toString();
    assertThat(defaultOutput(folder.toString())).isEqualTo(folder.resolve("traces.json"));
    assertThat(defaultOutput(glob)).isEqualTo(folder.resolve("traces.json"));
    assertThat(Perf.usual(first, second).events()).hasSize(2);
  }

  private static Path defaultOutput(String argument) throws Exception {
    return ConvertInputs.resolve(List.of(argument), new Skipped()).defaultOutput();
  }

  @Test
  void a23_rolesWithEqualRankAndPidAreSeparate() throws Exception {
    Path file =
        Perf.write(
            folder.resolve("traces.jsonl"),
            Perf.slice("a", 1, 1, 9, 1, "0, \"role\": \"rollout\""),
            Perf.slice("b", 2, 1, 9, 1, "0, \"role\": \" actor \""));

    Perf perf = Perf.compatible(file);

    assertThat(perf.names("process_name"))
        .containsExactly("[actor] Rank 0, Process 9", "[rollout] Rank 0, Process 9");
    assertThat(Perf.ints(perf.events(), "/pid")).containsExactly(2, 1);
    JsonNode order = perf.metadata("thread_sort_index").findFirst().orElseThrow();
    assertThat(order.get("args").has("role")).isFalse();
  }

  @Test
  void a24_flowIdsAndCorrelationsAreRenumberedTogether() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String role : List.of("rollout", "actor")) {
      for (int rank : new int[] {1, 0}) {
        String args = "{\"correlation\": 100, \"rank\": " + rank + ", \"role\": \"" + role + "\"}";
        lines.add(
            "{\"name\": \"launch\", \"ph\": \"s\", \"id\": 100, \"ts\": 1, \"pid\": 5, \"tid\": 1,"
                + " \"args\": "
                + args
                + "}");
      }
    }
    Path file = Perf.write(folder.resolve("traces.jsonl"), lines.toArray(String[]::new));

    Perf perf = Perf.compatible(file);

    List<String> numbered =
        perf.events().stream()
            .map(e -> e.at("/args/rank") + " " + e.at("/args/role").asText() + " " + e.get("id"))
            .toList();
    assertThat(numbered).containsExactly("0 actor 1", "0 rollout 2", "1 actor 3", "1 rollout 4");
    assertThat(perf.events()).allMatch(e -> e.get("id").equals(e.at("/args/correlation")));
  }

  @Test
  void a25_ranksAreReadAsTheOriginalReadsThem() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String none : List.of("true", "\" \"", "null")) {
      lines.add(Perf.slice("none", 1, 1, 77, 78, none));
    }
    lines.add(
        "{\"name\": \"none\", \"ph\": \"X\", \"ts\": 1, \"dur\": 1, \"pid\": 77, \"tid\": 78}");
    lines.add("");
    lines.add("   ");
    for (String rank : List.of("1.0", "\" 3 \"", "\"x\"", "[1]")) {
      lines.add(Perf.slice("some", 2, 1, 5, 6, rank));
    }
    Path file = Perf.write(folder.resolve("traces.jsonl"), lines.toArray(String[]::new));

    Perf perf = Perf.compatible(file);

    assertThat(perf.events().subList(0, 4))
        .allMatch(e -> e.get("pid").asInt() == 77 && e.get("tid").asInt() == 78);
    assertThat(perf.metadata("process_name").map(e -> e.at("/args/rank").toString()))
        .containsExactly("1", "3", "\"[1]\"", "\"x\"");
    Path empty = Files.createFile(folder.resolve("empty.jsonl"));
    assertThat(Perf.compatible(empty).trace)
        .isEqualTo(Perf.JSON.readTree("{\"traceEvents\": [], \"displayTimeUnit\": \"ms\"}"));
  }

  @Test
  void a26_sampleEqualsTheOriginalsResult() throws Exception {
    Perf perf = Perf.compatible(Perf.sampleTrial());

    JsonNode expected =
        Perf.JSON.readTree(Perf.sample("areal/current/expected/traces.json").toFile());
    assertThat(perf.all()).hasSize(1457);
    assertThat(
            perf.all().stream()
                .collect(Collectors.groupingBy(e -> e.get("ph").asText(), Collectors.counting())))
        .containsEntry("M", 16L)
        .containsEntry("X", 1415L)
        .containsEntry("i", 26L);
    for (int i = 0; i < 1457; i++) {
      assertThat(perf.all().get(i)).isEqualTo(expected.get("traceEvents").get(i));
    }
    assertThat(perf.trace).isEqualTo(expected);
  }

  @Test
  void a27_tornLastLineIsReportedAndTheRestKept() throws Exception {
    Path file = Perf.sample("areal/edge/perf-torn-last-line.jsonl");
    List<String> lines = Files.readAllLines(file);

    Perf perf = Perf.usual(file);

    long wholeEvents =
        lines.subList(0, lines.size() - 1).stream()
            .filter(l -> !l.contains("\"ph\": \"M\""))
            .count();
    assertThat(perf.events()).hasSize((int) wholeEvents);
    assertThat(perf.result.skipped().count()).isEqualTo(1);
    Skipped.Example torn = perf.result.skipped().examples().get(0);
    assertThat(torn.file()).isEqualTo("edge/perf-torn-last-line.jsonl");
    assertThat(torn.line()).isEqualTo(lines.size());
    assertThat(torn.reason()).startsWith("torn last line: ");

    assertThatThrownBy(() -> OutputFile.at(file, List.of(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("output: " + file + " (expected: not one of the inputs)");
  }
}
