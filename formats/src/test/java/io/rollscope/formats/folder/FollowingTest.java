package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.Scope;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Single situations of following a run; {@link TailTest} mixes them at random. */
class FollowingTest {
  private static final int PIECE = 4 << 20;

  @TempDir Path folder;

  // ---- growing ---------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Sort.class)
  void aLineCountsOnceItsEndIsWritten(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    byte[] line = (sort.good(1) + '\n').getBytes(StandardCharsets.UTF_8);
    append(sort.fileName, sort.good(0) + '\n');
    assertThat(follower.poll()).isTrue();

    for (int i = 0; i < line.length; i++) {
      assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(1);
      append(sort.fileName, Arrays.copyOfRange(line, i, i + 1));
      assertThat(follower.poll()).as("byte %d", i).isEqualTo(i == line.length - 1);
    }

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(2);
    assertThat(follower.skipped().count()).isZero();
  }

  @Test
  void aLookThatFindsNothingNewSaysSo() throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    assertThat(follower.poll()).isFalse();
    append(Sort.XTUNER.fileName, Sort.XTUNER.good(0) + '\n');

    assertThat(follower.poll()).isTrue();
    assertThat(follower.poll()).isFalse();
  }

  /** A worker that joins the run later. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileThatAppearsLaterIsRead(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    append("b-" + sort.fileName, sort.good(0) + '\n');
    follower.poll();

    append("a-" + sort.fileName, sort.good(1) + '\n');
    follower.poll();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(2);
  }

  /** Big files are read in pieces of 4 MiB; the half line at the end often lies across two. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aHalfLineAcrossTwoPiecesIsNotLost(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    byte[] line = (sort.good(1) + '\n').getBytes(StandardCharsets.UTF_8);
    int before = 40;
    String first = sort.good(0);
    int blanks = PIECE - before - first.getBytes(StandardCharsets.UTF_8).length - 1;
    append(sort.fileName, first + " ".repeat(blanks) + '\n');
    append(sort.fileName, Arrays.copyOf(line, before + 60));
    follower.poll();
    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(1);

    append(sort.fileName, Arrays.copyOfRange(line, before + 60, line.length));
    append(sort.fileName, sort.good(2) + "\nbad\n");
    follower.poll();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(3);
    assertThat(follower.skipped().examples()).extracting(Example::line).containsExactly(4L);
  }

  /** A model's output of 20 MB arrives in many writes. */
  @Test
  void aLongLineWrittenBitByBitIsReadWhole() throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    String line = Sort.XTUNER.with(1, "/error_msg", '"' + "ü".repeat(10 << 20) + '"') + '\n';
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    append(Sort.XTUNER.fileName, Sort.XTUNER.good(0) + '\n');

    for (int from = 0; from < bytes.length; from += 3_000_001) {
      append(
          Sort.XTUNER.fileName,
          Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + 3_000_001)));
      follower.poll();
    }
    append(Sort.XTUNER.fileName, Sort.XTUNER.good(2) + '\n');
    follower.poll();

    assertThat(Sort.XTUNER.kept(ReadTraces.of(follower))).isEqualTo(3);
    assertThat(follower.skipped().count()).isZero();
  }

  /** What is too long stays one bad line, however often one looks while it grows. */
  @Test
  void aLineOfMoreThan64MiBIsOneBadLineAlsoWhileItGrows() throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    append(Sort.XTUNER.fileName, Sort.XTUNER.good(0) + '\n');
    byte[] block = new byte[10 << 20];
    Arrays.fill(block, (byte) 'x');
    for (int i = 0; i < 9; i++) {
      append(Sort.XTUNER.fileName, block);
      follower.poll();
    }
    append(
        Sort.XTUNER.fileName, '\n' + Sort.XTUNER.good(1) + "\nbad\n" + Sort.XTUNER.good(2) + '\n');
    follower.poll();

    assertThat(Sort.XTUNER.kept(ReadTraces.of(follower))).isEqualTo(3);
    assertThat(follower.skipped().count()).isEqualTo(2);
    assertThat(follower.skipped().examples()).extracting(Example::line).containsExactly(2L, 4L);
  }

  @ParameterizedTest
  @EnumSource(Sort.class)
  void lineNumbersGoOnWhereTheLastLookEnded(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    append(sort.fileName, sort.good(0) + "\n\nbad\n");
    follower.poll();
    append(sort.fileName, sort.good(1) + "\r\nbad\n");
    follower.poll();

    assertThat(follower.skipped().examples()).extracting(Example::line).containsExactly(3L, 5L);
  }

  /** The name says one format, the first line another; for a moment there is only half of it. */
  @Test
  void theFormatIsNotGuessedFromHalfALine() throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    String line = Sort.AREAL_PERF.good(0) + '\n';
    append("traces.jsonl", line.substring(0, 12)); // looks like OTLP by name
    follower.poll();
    append("traces.jsonl", line.substring(12));
    follower.poll();

    assertThat(follower.files()).extracting(f -> f.format().id()).containsExactly("areal-perf");
    assertThat(Sort.AREAL_PERF.kept(ReadTraces.of(follower))).isEqualTo(1);
    assertThat(follower.skipped().count()).isZero();
  }

  // ---- rotation --------------------------------------------------------------------------------

  /** The collector's file exporter renames the full file and begins a new one. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aRotatedFileKeepsItsPlace(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder.resolve(sort.fileName), null);
    append(sort.fileName, sort.good(0) + '\n' + sort.good(1).substring(0, 20));
    follower.poll();

    append(sort.fileName, sort.good(1).substring(20) + '\n');
    String rotated = sort.fileName.replace(".jsonl", "-2026-11-15T10-00-00.000.jsonl");
    Files.move(folder.resolve(sort.fileName), folder.resolve(rotated));
    append(sort.fileName, sort.good(2) + '\n');
    follower.poll();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(3);
    assertThat(follower.files()).hasSize(2);
    assertThat(follower.skipped().count()).isZero();
  }

  /** logrotate copies the file and empties it: for a moment everything is there twice. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileThatIsCopiedAndEmptiedIsReadOnceInTheEnd(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    Path file = append(sort.fileName, sort.good(0) + '\n' + sort.good(1) + '\n');
    follower.poll();
    Files.copy(file, folder.resolve(sort.fileName + ".1"));
    follower.poll();

    Files.write(file, new byte[0]);
    append(sort.fileName, sort.good(2) + '\n');
    follower.poll();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(3);
  }

  // ---- written anew ----------------------------------------------------------------------------

  /** The run was started again with the same folder. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileWrittenAnewReplacesWhatItHeld(Sort sort) throws IOException {
    for (int lines : new int[] {1, 2, 3}) {
      Path run = Files.createDirectories(folder.resolve(sort.format + lines));
      Path file = run.resolve(sort.fileName);
      FolderReader follower = ReadTraces.newReader(run, null);
      Files.writeString(file, sort.good(0) + '\n' + sort.good(1) + '\n');
      follower.poll();

      StringBuilder anew = new StringBuilder();
      for (int n = 2; n < 2 + lines; n++) {
        anew.append(sort.good(n)).append('\n');
      }
      Files.writeString(file, anew);
      Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_900_000_000)));
      follower.poll();

      assertThat(sort.kept(ReadTraces.of(follower))).as("%d lines anew", lines).isEqualTo(lines);
      assertThat(ReadTraces.of(follower).everyReport(9))
          .isEqualTo(ReadTraces.all(run).everyReport(9));
    }
  }

  /** rsync writes a new file and puts it in the place of the old one. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileReplacedByALongerCopyIsNotReadTwice(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    Path file = append(sort.fileName, sort.good(0) + '\n');
    follower.poll();

    Path copy = append(".part", sort.good(0) + '\n' + sort.good(1) + '\n');
    Files.move(copy, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    follower.poll();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(2);
    assertThat(follower.files()).hasSize(1);
  }

  // ---- deleted ---------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Sort.class)
  void whatIsDeletedIsNoLongerCounted(Sort sort) throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    append("a-" + sort.fileName, sort.good(0) + '\n');
    Path gone = append("b-" + sort.fileName, sort.good(1) + '\n');
    follower.poll();

    Files.delete(gone);
    assertThat(follower.poll()).isTrue();

    assertThat(sort.kept(ReadTraces.of(follower))).isEqualTo(1);
  }

  /** The folder is moved away and comes back with another run. */
  @Test
  void aFolderThatGoesAndComesBackIsReadAnew() throws IOException {
    Path run = Files.createDirectories(folder.resolve("run"));
    FolderReader follower = ReadTraces.newReader(run, null);
    Files.writeString(run.resolve(Sort.XTUNER.fileName), Sort.XTUNER.good(0) + '\n');
    follower.poll();

    Files.move(run, folder.resolve("old"));
    follower.poll();
    assertThat(follower.runs().ids()).isEmpty();
    Files.createDirectories(run);
    Files.writeString(run.resolve(Sort.XTUNER.fileName), Sort.XTUNER.good(7) + '\n');
    follower.poll();

    assertThat(ReadTraces.of(follower).sessionIds()).containsExactly("数学:7");
  }

  // ---- several formats in one run --------------------------------------------------------------

  /** OTLP rows are told anew with each look; what else is in their run must not go with them. */
  @Test
  void otlpAndOtherRowsShareARun() throws IOException {
    Path run = Files.createDirectories(folder.resolve("run1")); // as the spans call it
    FolderReader follower = ReadTraces.newReader(run, null);
    Path xtuner = run.resolve(Sort.XTUNER.fileName);
    Path otlp = run.resolve(Sort.OTLP.fileName);
    for (int n = 0; n < 5; n++) {
      Files.writeString(
          xtuner, Sort.XTUNER.good(n) + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Files.writeString(
          otlp, Sort.OTLP.good(n) + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      follower.poll();

      assertThat(follower.runs().ids()).containsExactly("run1");
      assertThat(follower.runs().run("run1").table().rows()).isEqualTo(2 * (n + 1));
      assertThat(ReadTraces.of(follower).hotspots(Scope.ALL).sessionCount()).isEqualTo(2 * (n + 1));
    }
    assertThat(ReadTraces.of(follower).everyReport(20))
        .isEqualTo(ReadTraces.all(run).everyReport(20));
  }

  /** All formats side by side, each growing, in one folder. */
  @Test
  void allFormatsGrowSideBySide() throws IOException {
    FolderReader follower = ReadTraces.newReader(folder, null);
    List<Sort> sorts = List.of(Sort.values());
    for (int n = 0; n < 4; n++) {
      for (Sort sort : sorts) {
        append(sort.fileName, sort.good(n) + '\n');
        follower.poll();
      }
    }

    assertThat(follower.skipped().count()).isZero();
    assertThat(ReadTraces.of(follower).everyReport(99))
        .hasSameSizeAs(ReadTraces.all(folder).everyReport(99));
    assertThat(follower.runs().ids()).hasSize(2);
  }

  // ---- means -----------------------------------------------------------------------------------

  private Path append(String name, String text) throws IOException {
    return append(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path append(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(bytes);
    }
    return file;
  }
}
