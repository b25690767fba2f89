package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.rollscope.formats.scan.Skipped.Example;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pieces as an SDK writes them, and files that somebody has compressed. */
class CompressedFilesTest {
  private static final Sort SORT = Sort.OTLP;

  @TempDir Path folder;

  enum Packing {
    GZIP(".gz") {
      @Override
      byte[] frame(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
          out.write(bytes);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
      }
    },
    ZSTD(".zst") {
      @Override
      byte[] frame(byte[] bytes) {
        return Zstd.compress(bytes, 1);
      }
    };

    final String suffix;

    Packing(String suffix) {
      this.suffix = suffix;
    }

    abstract byte[] frame(byte[] bytes);

    byte[] frame(String text) {
      return frame(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private Path file(Packing packing) {
    return folder.resolve("rollscope-gpu-1-7-aaaaaaaa-000000.jsonl" + packing.suffix);
  }

  private static void append(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(int i) {
    return SORT.good(i).replace("数学", "judge") + "\n"; // One byte for each character.
  }

  private int kept(FolderReader reader) throws IOException {
    return SORT.kept(ReadTraces.of(reader));
  }

  private FolderReader reader() {
    return ReadTraces.newReader(folder, null);
  }

  /** A process that was killed has written any part of its last frame. */
  @ParameterizedTest
  @EnumSource(Packing.class)
  void aFrameThatGrowsByteByByteIsReadAsFarAsItIsThere(Packing packing) throws IOException {
    FolderReader follower = reader();
    append(file(packing), packing.frame(line(0)));
    follower.poll();
    byte[] second = packing.frame(line(1));
    for (int i = 0; i < second.length; i++) {
      assertThat(kept(follower)).as("byte %d", i).isBetween(1, 2);
      append(file(packing), Arrays.copyOfRange(second, i, i + 1));
      follower.poll();
      FolderReader anew = reader();
      anew.poll();
      assertThat(kept(anew)).as("byte %d", i).isEqualTo(kept(follower));
    }
    assertThat(kept(follower)).isEqualTo(2);
    assertThat(follower.skipped().count()).isZero();
    assertThat(follower.pendingBytes()).isZero();
    assertThat(follower.poll()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Packing.class)
  void aLineAcrossFramesIsOneLine(Packing packing) throws IOException {
    String two = line(0) + line(1);
    append(file(packing), packing.frame(two.substring(0, 20)));
    FolderReader follower = reader();
    follower.poll();
    append(file(packing), packing.frame(two.substring(20)));
    follower.poll();

    assertThat(kept(follower)).isEqualTo(2);
    assertThat(follower.skipped().count()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Packing.class)
  void whatFollowsGarbageIsReportedOnceAndWhatIsBeforeIsKept(Packing packing) throws IOException {
    append(file(packing), packing.frame(line(0)));
    append(file(packing), "disk error".getBytes(StandardCharsets.UTF_8));
    FolderReader follower = reader();
    follower.poll();
    append(file(packing), packing.frame(line(1)));
    follower.poll();
    follower.poll();

    assertThat(kept(follower)).isEqualTo(1);
    assertThat(follower.skipped().examples())
        .singleElement()
        .extracting(Example::reason)
        .asString()
        .matches("byte \\d+: no (gzip member|zstd frame) \\(expected: .*\\); the rest is not read");
  }

  /** Bits flip: nothing is thrown, and what is before the damage is kept. */
  @ParameterizedTest
  @EnumSource(Packing.class)
  void anyDamageIsReported(Packing packing) throws IOException {
    byte[] first = packing.frame(line(0));
    byte[] second = packing.frame(line(1));
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      byte[] both = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, both, first.length, second.length);
      int at = first.length + random.nextInt(second.length);
      both[at] ^= (byte) (1 + random.nextInt(255));
      Files.write(file(packing), both);
      FolderReader reader = reader();
      reader.readAll();

      assertThat(kept(reader)).isBetween(1, 2);
    }
  }

  /** More than a piece, in frames of all sizes: lines are found again, in every order. */
  @ParameterizedTest
  @EnumSource(Packing.class)
  void manyFramesAreReadInPiecesAndLinesAreFoundAgain(Packing packing) throws IOException {
    int lines = 9_900;
    StringBuilder all = new StringBuilder();
    StringBuilder frame = new StringBuilder();
    Random random = new Random(1);
    try (OutputStream out = Files.newOutputStream(file(packing))) {
      for (int i = 0; i < lines; i++) {
        all.append(line(i));
        frame.append(line(i));
        if (random.nextInt(300) == 0 || i == lines - 1) {
          out.write(packing.frame(frame.toString()));
          frame.setLength(0);
        }
      }
    }
    FolderReader reader = reader();
    reader.readAll();

    assertThat(kept(reader)).isEqualTo(lines);
    assertThat(reader.files().get(0).offset()).isEqualTo(all.length());
    try (LineFetcher fetcher = new LineFetcher(reader.files()::get)) {
      for (int i = 0; i < 200; i++) {
        int begin = all.lastIndexOf("\n", random.nextInt(all.length() - 1)) + 1;
        String line = all.substring(begin, all.indexOf("\n", begin));
        assertThat(fetcher.line(0, begin)).isEqualTo(line);
      }
      assertThat(fetcher.line(0, all.length())).isNull();
    }
  }

  /** A few kilobytes that hold gigabytes. */
  @ParameterizedTest
  @EnumSource(Packing.class)
  void aDecompressionBombTakesNoMemory(Packing packing) throws IOException {
    byte[] zeros = new byte[8 << 20];
    append(file(packing), packing.frame(line(0)));
    for (int i = 0; i < 100; i++) {
      append(file(packing), packing.frame(zeros));
    }
    FolderReader reader = reader();
    reader.readAll();

    assertThat(kept(reader)).isEqualTo(1);
    assertThat(reader.skipped().examples())
        .extracting(Example::reason)
        .anyMatch(r -> r.startsWith("a line of more than 64 MiB"));
  }

  /** {@code gzip -k}, and while {@code gzip} runs. */
  @Test
  void aFileAndItsCompressedCopyAreReadOnce() throws IOException {
    Path plain = folder.resolve("traces.jsonl");
    append(plain, (line(0) + line(1)).getBytes(StandardCharsets.UTF_8));
    append(folder.resolve("traces.jsonl.gz"), Packing.GZIP.frame(line(0) + line(1)));
    FolderReader follower = reader();
    follower.poll();
    assertThat(follower.files()).hasSize(1);

    Files.delete(plain);
    follower.poll();
    assertThat(kept(follower)).isEqualTo(2);
    assertThat(follower.files()).hasSize(1);
  }

  /** XTuner's rotated file, which logrotate has compressed. */
  @ParameterizedTest
  @EnumSource(Sort.class)
  void everyFormatMayBeCompressed(Sort sort) throws IOException {
    Path file = folder.resolve(sort.fileName + ".1.gz");
    append(file, Packing.GZIP.frame(sort.good(0) + '\n' + sort.good(1) + '\n'));
    FolderReader reader = reader();
    reader.readAll();

    assertThat(sort.kept(ReadTraces.of(reader))).isEqualTo(2);
  }
}
