package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which files are read as what, and as which run. */
class FormatsTest {
  @TempDir Path folder;

  /** Somebody renamed the files, or put them together under new names. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void theFormatIsToldByTheLinesWhateverTheNameSays(Sort sort) throws IOException {
    for (Sort misleading : Sort.values()) {
      Path run = Files.createDirectories(folder.resolve(misleading.format));
      Files.writeString(run.resolve(misleading.fileName), sort.good(0) + '\n');

      ReadTraces read = ReadTraces.all(run);

      assertThat(read.reader().files())
          .extracting(f -> f.format().id())
          .containsExactly(sort.format);
      assertThat(sort.kept(read)).isEqualTo(1);
    }
  }

  /** The first lines are torn or foreign; the format shows within the first twenty. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void theFormatIsToldByTheFirstGoodLine(Sort sort) throws IOException {
    Files.writeString(
        folder.resolve("x.jsonl"), "\n{}\nlog line\n{\"a\": 1}\n" + sort.good(0) + '\n');

    ReadTraces read = ReadTraces.all(folder);

    assertThat(sort.kept(read)).isEqualTo(1);
    assertThat(read.skipped().examples()).extracting(Example::line).containsExactly(2L, 3L, 4L);
  }

  /** Nothing but rubbish: then the name has to do, so that the rubbish is reported. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void theNameCountsWhenNoLineTells(Sort sort) throws IOException {
    Files.writeString(folder.resolve(sort.fileName), "rubbish\n");

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().files()).extracting(f -> f.format().id()).containsExactly(sort.format);
    assertThat(read.skipped().count()).isEqualTo(1);
  }

  /** An XTuner run, an AReaL trial, a data set and a log in one folder. */
  @Test
  void foldersOfManyKindsAreReadAsFarAsTheyAreTraces() throws IOException {
    for (Sort sort : Sort.values()) {
      Files.writeString(folder.resolve(sort.fileName), sort.good(0) + '\n' + sort.good(1) + '\n');
    }
    Path dataset =
        Files.writeString(
            folder.resolve("train.jsonl"), "{\"question\": \"2+2\", \"answer\": \"4\"}\n");
    Files.writeString(folder.resolve("notes.txt"), "nothing\n");
    Files.writeString(folder.resolve("config.json"), "{}");

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().files())
        .extracting(f -> f.format().id())
        .containsExactlyInAnyOrder("xtuner", "otlp", "areal-sessions", "areal-perf");
    assertThat(read.reader().unrecognised()).containsExactly(dataset);
    assertThat(read.skipped().count()).isZero();
    String here = folder.getFileName().toString();
    assertThat(read.reader().runs().ids()).containsExactlyInAnyOrder(here, "run1");
    assertThat(read.everyReport(9)).isNotEmpty();
    RunData run = read.run(here);
    assertThat(run.table().findSession("数学:0")).isNotNegative();
    assertThat(run.table().findSession("[数学]r0-t0-s0")).isNotNegative();
  }

  /** A user knows better: lines that are not of that format are bad lines. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aForcedFormatIsUsedForEveryFile(Sort sort) throws IOException {
    for (Sort other : Sort.values()) {
      Files.writeString(folder.resolve(other.fileName), other.good(0) + '\n');
    }

    ReadTraces read = ReadTraces.all(folder, sort.format);

    assertThat(read.reader().files()).hasSize(4).allMatch(f -> f.format().id().equals(sort.format));
    assertThat(sort.kept(read)).isEqualTo(1);
    assertThat(read.skipped().count()).isEqualTo(3);
    assertThat(read.skipped().examples()).allMatch(e -> e.reason().startsWith("no "));
  }

  @Test
  void anUnknownFormatIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> Formats.named("xml"))
        .hasMessage("format: xml (expected: xtuner, otlp, areal-sessions, areal-perf)");
  }

  @ParameterizedTest
  @CsvSource({
    "exp1/x.jsonl, exp1",
    "exp1/producer_trace/x.jsonl, exp1",
    "exp1/traces/x.jsonl, exp1",
    "exp1/traces/producer_trace/x.jsonl, exp1",
  })
  void aRunOfXTunerIsCalledLikeItsFolder(String path, String run) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, Sort.XTUNER.good(0) + '\n');

    assertThat(ReadTraces.all(file).run().id()).isEqualTo(run);
    assertThat(ReadTraces.all(folder).run().id()).isEqualTo(run);
  }

  @ParameterizedTest
  @CsvSource({
    "logs/me/exp/trial/session_tracer/sessions-r0.jsonl, exp/trial",
    "logs/me/exp/trial/session_tracer/rollout/sessions-r0.jsonl, exp/trial",
    "logs/me/exp/trial/request_tracer/requests-r0.jsonl, exp/trial",
    "copied/sessions-r0.jsonl, copied",
  })
  void aRunOfArealIsCalledByExperimentAndTrial(String path, String run) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, Sort.AREAL_SESSIONS.good(0) + '\n');

    assertThat(ReadTraces.all(file).run().id()).isEqualTo(run);
  }

  @Test
  void theNewestRunIsTheOneWithTheNewestEvent() throws IOException {
    for (int n : new int[] {1, 9, 5}) {
      Path run = Files.createDirectories(folder.resolve("run" + n));
      Files.writeString(run.resolve("x.jsonl"), Sort.XTUNER.good(n) + '\n');
    }

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().runs().newest().id()).isEqualTo("run9");
  }

  // ---- sources ---------------------------------------------------------------------------------

  @Test
  void aGlobNamesFiles() throws IOException {
    for (String name : List.of("a1.jsonl", "a2.jsonl", "b1.jsonl")) {
      Files.writeString(folder.resolve(name), Sort.XTUNER.good(0) + '\n');
    }
    FolderReader reader =
        new FolderReader(new SourcePath(folder + "/a*.jsonl"), null, null, Long.MAX_VALUE);

    reader.readAll();

    assertThat(reader.files())
        .extracting(f -> f.path().getFileName().toString())
        .containsExactly("a1.jsonl", "a2.jsonl");
  }

  /** A shell without quotes gives the files that a glob matched. */
  @Test
  void severalSourcesAreReadTogetherAndOnce() throws IOException {
    Path a = Files.writeString(folder.resolve("a.jsonl"), Sort.XTUNER.good(0) + '\n');
    Path b = Files.writeString(folder.resolve("b.jsonl"), Sort.XTUNER.good(1) + '\n');
    SourcePath source = SourcePath.of(List.of(b.toString(), a.toString(), folder.toString()));
    FolderReader reader = new FolderReader(source, null, null, Long.MAX_VALUE);

    reader.readAll();

    assertThat(Sort.XTUNER.kept(ReadTraces.of(reader))).isEqualTo(2);
  }

  /** Folders and files may be called as they like. */
  @Test
  void namesWithBracketsAndSpacesAreNotGlobs() throws IOException {
    Path odd = Files.createDirectories(folder.resolve("run [1] {a,b} *?"));
    Files.writeString(odd.resolve("x [2].jsonl"), Sort.XTUNER.good(0) + '\n');

    assertThat(Sort.XTUNER.kept(ReadTraces.all(odd))).isEqualTo(1);
    assertThat(Sort.XTUNER.kept(ReadTraces.all(odd.resolve("x [2].jsonl")))).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Sort.class)
  void aGivenRunNamesWhatDoesNotNameItself(Sort sort) throws IOException {
    Files.writeString(folder.resolve(sort.fileName), sort.good(0) + '\n');
    FolderReader reader =
        new FolderReader(new SourcePath(folder.toString()), null, "mine", Long.MAX_VALUE);

    reader.readAll();

    assertThat(reader.runs().ids()).containsExactly(sort == Sort.OTLP ? "run1" : "mine");
  }

  // ---- limits of time --------------------------------------------------------------------------

  /** Times at both ends of what is accepted, in one session: no length overflows. */
  @Test
  void timesAtBothLimitsGiveNoNegativeLengths() throws IOException {
    String limit = "4611686018.4";
    Files.write(
        folder.resolve(Sort.XTUNER.fileName),
        List.of(
            Sort.XTUNER
                .with(0, "/timestamp_s", "-" + limit)
                .replace("judge.start", "judge.end")
                .replace("0.25", limit),
            Sort.XTUNER.with(0, "/timestamp_s", limit)));
    Path perf = Files.createDirectories(folder.resolve("perf"));
    Files.write(
        perf.resolve(Sort.AREAL_PERF.fileName),
        List.of(
            Sort.AREAL_PERF.with(0, "/ts", "-4e15"),
            Sort.AREAL_PERF.with(0, "/ts", "4e15").replace("\"dur\":7", "\"dur\":4e15")));
    Path rows = Files.createDirectories(folder.resolve("rows"));
    Files.write(
        rows.resolve(Sort.AREAL_SESSIONS.fileName),
        List.of(
            Sort.AREAL_SESSIONS.with(0, "/submit_ts", "-" + limit).replace("1763600408.5", limit),
            Sort.AREAL_SESSIONS.with(1, "/submit_ts", limit).replace("1763600409.5", "-" + limit)));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.skipped().count()).isZero();
    for (JsonNode report : read.everyReport(9)) {
      assertThat(report.path("wallS").asDouble(0)).isNotNegative();
    }
    for (String id : List.of(folder.getFileName().toString(), "perf", "rows")) {
      RunData run = read.run(id);
      var report =
          io.rollscope.core.view.HotspotsView.of(run.table(), Scope.ALL, read.context(run));
      assertThat(report.stageStats())
          .as(id)
          .isNotEmpty()
          .allMatch(
              s ->
                  s.totalS() >= 0
                      && s.selfS() >= 0
                      && s.maxS() >= 0
                      && s.share() >= 0
                      && s.share() <= 1);
      if (id.equals(folder.getFileName().toString())) {
        assertThat(report.maxTaskDurationS())
            .isEqualTo(report.timelineEndS() - report.timelineStartS());
      }
    }
  }
}
