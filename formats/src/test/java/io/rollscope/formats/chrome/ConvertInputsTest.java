package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.formats.scan.Skipped;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvertInputsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"x.jsonl, x.json", "y.log, y.json", "z, z.json", "a.b.c, a.b.json"})
  void aFilesResultLiesBesideIt(String name, String expected) throws Exception {
    Path file = event(name);

    assertThat(resolve(file).defaultOutput()).isEqualTo(folder.resolve(expected));
    assertThat(resolve(file).perf()).containsExactly(file);
  }

  @Test
  void severalFilesMeetInTheirCommonFolder() throws Exception {
    Path a = event("perf_tracer/actor/traces-r0.jsonl");
    Path b = event("perf_tracer/rollout/traces-r0.jsonl");

    // An unquoted glob: the shell passes the files.
    ConvertInputs inputs = resolve(a, b);

    assertThat(inputs.perf()).containsExactly(a, b);
    assertThat(inputs.defaultOutput()).isEqualTo(folder.resolve("perf_tracer/traces.json"));
  }

  @Test
  void twoStarsAlsoStandForNoFolder() throws Exception {
    Path here = event("traces-r0.jsonl");
    Path below = event("actor/traces-r0.jsonl");

    assertThat(resolve(folder.resolve("**/traces-r*.jsonl")).perf()).containsExactly(below, here);
  }

  @Test
  void aGlobThatFitsOneFileIsThatFile() throws Exception {
    Path file = event("traces-r0.jsonl");

    assertThat(resolve(folder.resolve("traces-*.jsonl")).defaultOutput())
        .isEqualTo(folder.resolve("traces-r0.json"));
    assertThat(resolve(folder.resolve("traces-*.jsonl"), file).perf()).containsExactly(file);
  }

  @Test
  void aMissingFileIsNotFound() {
    Path missing = folder.resolve("nope.jsonl");

    assertThatThrownBy(() -> resolve(missing))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageStartingWith("input: " + missing + " (expected: ");
  }

  @Test
  void aMissingFileIsNotSearchedForEverywhereBelow() throws Exception {
    Files.createSymbolicLink(folder.resolve("loop"), folder); // Whoever searches complains of it.
    Skipped skipped = new Skipped();

    assertThatThrownBy(
            () -> ConvertInputs.resolve(List.of(folder.resolve("nope").toString()), skipped))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(skipped.count()).isZero();
  }

  @Test
  void foreignFilesOfAFolderAreNamedAndLeftAlone() throws Exception {
    Path trace = event("traces-r0.jsonl");
    Path foreign = Files.writeString(folder.resolve("notes.jsonl"), "{\"note\": 1}\n");

    ConvertInputs inputs = resolve(folder);

    assertThat(inputs.perf()).containsExactly(trace);
    assertThat(inputs.unrecognised()).containsExactly(foreign);
    assertThat(inputs.all()).contains(trace, foreign);
  }

  private Path event(String name) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Perf.write(file, Perf.slice("a", 1, 1, 1, 1, "0"));
  }

  private static ConvertInputs resolve(Path... paths) throws Exception {
    List<String> arguments = Arrays.stream(paths).map(Path::toString).toList();
    return ConvertInputs.resolve(arguments, new Skipped());
  }
}
