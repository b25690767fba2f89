package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rollscope.core.table.TableFullException;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files that cannot be read, are none, or change while they are read. Good ones lie beside them.
 */
class BadFilesTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder;

  /** A process that has recorded nothing yet. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void anEmptyFileIsReported(Sort sort) throws IOException {
    Path empty = Files.createFile(folder.resolve("a-" + sort.fileName));

    assertThat(onlyBadFile(sort))
        .isEqualTo(new Example(empty.toString(), 0, "empty file (expected: events)"));
  }

  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileOfBlankLinesIsNoTrace(Sort sort) throws IOException {
    Files.writeString(folder.resolve("a.jsonl"), "\n\r\n \t\n\n");

    ReadTraces read = withGood(sort);

    assertThat(read.skipped().count()).isZero();
    assertThat(read.reader().unrecognised()).containsExactly(folder.resolve("a.jsonl"));
  }

  /** Somebody made a folder with the name of a file. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFolderThatIsCalledLikeAFileIsAFolder(Sort sort) throws IOException {
    Path inner = Files.createDirectories(folder.resolve("x.jsonl"));
    Files.writeString(inner.resolve(sort.fileName), sort.good(7) + '\n');

    ReadTraces read = ReadTraces.all(folder);

    assertThat(sort.kept(read)).isEqualTo(1);
    assertThat(read.skipped().count()).isZero();
  }

  /** A pipe gives nothing until somebody writes: opening it would wait for ever. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aPipeIsNeverOpened(Sort sort) throws Exception {
    Path pipe = pipe("a-" + sort.fileName);

    Example refusal = assertTimeoutPreemptively(LONG, () -> onlyBadFile(sort));

    assertThat(refusal)
        .isEqualTo(new Example(pipe.toString(), 0, "not a regular file (expected: one)"));
  }

  @Test
  void aPipeAsSourceIsNeverOpened() throws Exception {
    Path pipe = pipe("x.jsonl");

    ReadTraces read = assertTimeoutPreemptively(LONG, () -> ReadTraces.all(pipe));

    assertThat(read.skipped().examples())
        .containsExactly(new Example(pipe.toString(), 0, "not a regular file (expected: one)"));
  }

  private Path pipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(mkfifo.waitFor() == 0, "mkfifo");
    return pipe;
  }

  /** The file a link leads to was moved to an archive. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aLinkToNowhereIsReported(Sort sort) throws IOException {
    Path link = folder.resolve("a-" + sort.fileName);
    Files.createSymbolicLink(link, folder.resolve("gone.jsonl"));

    assertThat(onlyBadFile(sort))
        .isEqualTo(
            new Example(
                link.toString(), 0, "a link that leads nowhere (expected: to a regular file)"));
  }

  @Test
  void aLinkThatLeadsBackUpIsReportedAndNotFollowed() throws IOException {
    Path link = Files.createDirectories(folder.resolve("sub")).resolve("loop");
    Files.createSymbolicLink(link, folder);

    Example refusal = assertTimeoutPreemptively(LONG, () -> onlyBadFile(Sort.XTUNER));

    assertThat(refusal)
        .isEqualTo(
            new Example(
                link.toString(),
                0,
                "a link that leads back to a folder above it (expected: none)"));
  }

  /** A link to the folder above the source: its other children were never asked for. */
  @Test
  void aLinkOutOfTheSourceToAFolderAboveItIsNotFollowed() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source"));
    Files.writeString(folder.resolve("not-asked-for.jsonl"), Sort.XTUNER.good(7) + '\n');
    Files.writeString(source.resolve(Sort.XTUNER.fileName), Sort.XTUNER.good(0) + '\n');
    Path up = Files.createSymbolicLink(source.resolve("up"), folder);
    Path root = Files.createSymbolicLink(source.resolve("root"), Path.of("/"));

    ReadTraces read = assertTimeoutPreemptively(LONG, () -> ReadTraces.all(source));

    String reason = "a link that leads back to a folder above it (expected: none)";
    assertThat(read.skipped().examples())
        .containsExactlyInAnyOrder(
            new Example(up.toString(), 0, reason), new Example(root.toString(), 0, reason));
    assertThat(Sort.XTUNER.kept(read)).isEqualTo(1);
    Files.delete(root); // before the folder is deleted with all that is in it
  }

  /** Thirty folders with two links each to the next are a thousand million paths. */
  @Test
  void linksThatMultiplyAreFollowedOnAFewWaysOnly() throws IOException {
    for (int i = 0; i < 30; i++) {
      Path here = Files.createDirectories(folder.resolve("d" + i));
      Path next = folder.resolve("d" + (i + 1));
      Files.createSymbolicLink(here.resolve("a"), next);
      Files.createSymbolicLink(here.resolve("b"), next);
    }
    Path last = Files.createDirectories(folder.resolve("d30"));
    Files.writeString(last.resolve(Sort.XTUNER.fileName), Sort.XTUNER.good(0) + '\n');

    ReadTraces read = assertTimeoutPreemptively(LONG, () -> ReadTraces.all(folder));

    assertThat(Sort.XTUNER.kept(read)).isEqualTo(1);
    assertThat(read.skipped().count()).isBetween(1L, 100L);
    assertThat(read.skipped().examples())
        .allMatch(e -> e.reason().startsWith("links lead here on more than 8 ways (expected: "));
  }

  /** Names as another user may give them; the file is read, and the name is one line of text. */
  @Test
  void namesOfAnyBytesAreRead() throws Exception {
    String script =
        """
        import os, sys
        folder, line = map(os.fsencode, sys.argv[1:])
        for name in (b"new\\nline", b"\\x1b[2J", b"\\xff\\xfe", b"\\xe2\\x80\\xae", b"-o", b"..", b" "):
            open(folder + b"/" + name + b".jsonl", "wb").write(line + b"\\n")
        """;
    Process python =
        new ProcessBuilder("python3", "-c", script, folder.toString(), Sort.XTUNER.good(0))
            .inheritIO()
            .start();
    assumeTrue(python.waitFor() == 0, "python3");

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().files()).hasSize(7);
    assertThat(read.skipped().count()).isZero();
  }

  @Test
  void linksThatLeadToEachOtherAreReported() throws IOException {
    Files.createSymbolicLink(folder.resolve("a.jsonl"), folder.resolve("b.jsonl"));
    Files.createSymbolicLink(folder.resolve("b.jsonl"), folder.resolve("a.jsonl"));

    ReadTraces read = assertTimeoutPreemptively(LONG, () -> withGood(Sort.XTUNER));

    assertThat(read.skipped().examples())
        .hasSize(2)
        .allMatch(e -> e.reason().contains("(expected: "));
  }

  /** {@code runs/latest} is a link to the newest run beside it. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileReachedOnTwoWaysIsReadOnce(Sort sort) throws IOException {
    Path run = Files.createDirectories(folder.resolve("run1"));
    Files.writeString(run.resolve(sort.fileName), sort.good(0) + '\n' + sort.good(1) + '\n');
    Files.createSymbolicLink(folder.resolve("latest"), run);
    Files.createLink(run.resolve("hard-" + sort.fileName), run.resolve(sort.fileName));

    ReadTraces read = ReadTraces.all(folder);

    assertThat(read.reader().files()).hasSize(1);
    assertThat(sort.kept(read)).isEqualTo(2);
  }

  /** A run is cleaned up just while it is looked at. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileDeletedBeforeItsTurnIsReported(Sort sort) throws IOException {
    Path last = manyFiles(sort, sort.good(99) + '\n');
    FolderReader reader = ReadTraces.newReader(folder, null);
    deleteOnce(reader, last);

    reader.readAll();

    ReadTraces read = ReadTraces.of(reader);
    assertThat(sort.kept(read)).isEqualTo(11);
    assertThat(read.skipped().examples())
        .containsExactly(
            new Example(
                last.toString(), 0, "cannot be read: NoSuchFile (expected: a readable file)"));
  }

  private static void deleteOnce(FolderReader reader, Path file) {
    reader.onProgress(
        bytes -> {
          try {
            Files.deleteIfExists(file);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Mapped memory would end the whole process here. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileCutShortBeforeItsTurnIsReadAsFarAsItGoes(Sort sort) throws IOException {
    String two = sort.good(98) + '\n' + sort.good(99) + '\n';
    Path last = manyFiles(sort, two);
    FolderReader reader = ReadTraces.newReader(folder, null);
    int kept = (sort.good(98) + '\n').getBytes(java.nio.charset.StandardCharsets.UTF_8).length + 10;
    reader.onProgress(bytes -> cut(last, kept));

    reader.readAll();

    ReadTraces read = ReadTraces.of(reader);
    assertThat(sort.kept(read)).isEqualTo(12);
    assertThat(read.skipped().count()).isEqualTo(1);
    assertThat(read.skipped().examples().get(0).line()).isEqualTo(2);
    assertThat(read.skipped().examples().get(0).reason()).startsWith("torn last line: ");
  }

  @ParameterizedTest
  @EnumSource(Sort.class)
  void aFileEmptiedBeforeItsTurnHasNoLines(Sort sort) throws IOException {
    Path last = manyFiles(sort, sort.good(99) + '\n');
    FolderReader reader = ReadTraces.newReader(folder, null);
    reader.onProgress(bytes -> cut(last, 0));

    reader.readAll();

    ReadTraces read = ReadTraces.of(reader);
    assertThat(sort.kept(read)).isEqualTo(11);
    assertThat(read.skipped().count()).isZero();
  }

  private static void cut(Path file, int length) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * So many files that the last is not yet opened when the first has been taken: 8 threads read.
   */
  private Path manyFiles(Sort sort, String last) throws IOException {
    for (int i = 0; i < 11; i++) {
      Files.writeString(
          folder.resolve(String.format("%02d-%s", i, sort.fileName)), sort.good(i) + '\n');
    }
    return Files.writeString(folder.resolve("99-" + sort.fileName), last);
  }

  /** A file that vanishes between counting and reading must not stop the command. */
  @Test
  void countingWhatIsToBeReadSkipsWhatCannotBeRead() throws IOException {
    Files.writeString(folder.resolve("a.jsonl"), "12345");
    Files.createSymbolicLink(folder.resolve("b.jsonl"), folder.resolve("gone"));

    assertThat(ReadTraces.newReader(folder, null).pendingBytes()).isEqualTo(5);
  }

  // ---- failures that are ours ------------------------------------------------------------------

  /** Memory ran out, or there is a bug: the command ends with it, and never hangs. */
  @Test
  void anErrorInAReadingThreadReachesTheCaller() throws IOException {
    for (int i = 0; i < 40; i++) {
      Files.writeString(folder.resolve(i + ".jsonl"), i == 17 ? "boom\n" : "fine\n");
    }
    FolderReader reader =
        new FolderReader(new SourcePath(folder.toString()), new Exploding(), null, Long.MAX_VALUE);

    assertTimeoutPreemptively(
        LONG, () -> assertThatThrownBy(reader::readAll).isInstanceOf(StackOverflowError.class));
  }

  private static final class Exploding implements TraceFormat {
    @Override
    public String id() {
      return "exploding";
    }

    @Override
    public String description() {
      return "none";
    }

    @Override
    public boolean nameMatches(String fileName) {
      return false;
    }

    @Override
    public boolean keysMatch(Set<String> keys) {
      return false;
    }

    @Override
    public LineParser newParser() {
      return new LineParser() {
        @Override
        public void begin(TraceFile file) {}

        @Override
        public void line(byte[] buffer, int from, int to, long offset) {
          if (buffer[from] == 'b') {
            throw new StackOverflowError("boom");
          }
        }

        @Override
        public void deliver(Runs runs) {}
      };
    }
  }

  /** More than fits: told with what to do about it. */
  @Test
  void tablesThatDoNotFitAreRefusedBeforeMemoryIsFull() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      lines.add(Sort.XTUNER.good(i));
    }
    Files.write(folder.resolve(Sort.XTUNER.fileName), lines);
    FolderReader reader = new FolderReader(new SourcePath(folder.toString()), null, null, 100_000);

    assertThatThrownBy(reader::readAll)
        .isInstanceOf(TableFullException.class)
        .hasMessageContaining("(expected: at most 0 MB)")
        .hasMessageContaining("ROLLSCOPE_JAVA_OPTS");
  }

  // ---- means -----------------------------------------------------------------------------------

  private Example onlyBadFile(Sort sort) throws IOException {
    ReadTraces read = withGood(sort);
    assertThat(read.skipped().count()).isEqualTo(1);
    return read.skipped().examples().get(0);
  }

  private ReadTraces withGood(Sort sort) throws IOException {
    Files.writeString(
        folder.resolve("z-" + sort.fileName), sort.good(0) + '\n' + sort.good(1) + '\n');
    ReadTraces read = ReadTraces.all(folder);
    assertThat(sort.kept(read)).isEqualTo(2);
    return read;
  }
}
