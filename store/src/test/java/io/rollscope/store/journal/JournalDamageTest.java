package io.rollscope.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.Signal;
import io.rollscope.store.testkit.ForgetfulDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are not as they were written: bad memory, bad disks, other people's programs. */
class JournalDamageTest {
  private static final Path FOLDER = Path.of("/data/journal");
  private static final int HEAD = 18; // of a frame without file id

  /** Two frames in each of three files; payloads 11, 12, …, 22, …: their first two digits. */
  private static final List<String> ALL =
      List.of("11 first", "12 second", "21 third", "22 fourth", "31 fifth", "32 sixth");

  private final ForgetfulDisk disk = new ForgetfulDisk();
  private RecoveryReport report;

  @BeforeEach
  void writeThreeFiles() throws IOException {
    try (Journal journal = open(new ArrayList<>())) {
      for (String text : ALL) {
        if (text.startsWith("1", 1) && !text.startsWith("11")) {
          journal.checkpoint(List.of()).toCompletableFuture().join();
        }
        journal
            .append(new Source.Otlp(Signal.TRACES), text.getBytes(UTF_8))
            .toCompletableFuture()
            .join();
      }
    }
    assertThat(recover()).isEqualTo(ALL);
    assertThat(report.clean()).isTrue();
  }

  @Test
  void theLastFileCutAtAnyByteLosesOnlyWhatWasCutOff() throws IOException {
    byte[] whole = disk.contents(file(3));
    int fifth = FileHeader.BYTES + HEAD + "31 fifth".length();
    for (int length = 0; length <= whole.length; length++) {
      disk.replace(file(3), Arrays.copyOf(whole, length));
      int left = length == whole.length ? 6 : length >= fifth ? 5 : 4;
      assertThat(recover()).as("cut at %d", length).isEqualTo(ALL.subList(0, left));
      int kept = left == 6 ? whole.length : left == 5 ? fifth : length < FileHeader.BYTES ? 0 : 32;
      assertThat(report.cutBytes()).isEqualTo(length - kept);
      assertThat(disk.contents(file(3))).isEqualTo(Arrays.copyOf(whole, kept));
      assertThat(report.emptyFiles()).hasSize(length == 0 ? 1 : 0);
      assertThat(report.damages()).isEmpty();
      recover();
      assertThat(report.cutBytes()).as("cut once, counted once").isZero();
    }
  }

  @Test
  void anEarlierFileCutAtAnyByteIsReportedAndLeftAlone() throws IOException {
    byte[] whole = disk.contents(file(2));
    int third = FileHeader.BYTES + HEAD + "21 third".length();
    for (int length = 1; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      disk.replace(file(2), part);
      List<String> found = recover();
      assertThat(found).containsAll(List.of("11 first", "12 second", "31 fifth", "32 sixth"));
      assertThat(found.contains("21 third")).isEqualTo(length >= third);
      boolean atFrame = length == third || length == FileHeader.BYTES;
      assertThat(report.damages()).as("cut at %d", length).hasSize(atFrame ? 0 : 1);
      assertThat(report.cutBytes()).isZero();
      assertThat(disk.contents(file(2))).isEqualTo(part);
    }
  }

  @Test
  void oneWrongBitAnywhereCostsAtMostOneFrameAndIsReported() throws IOException {
    for (int sequence = 1; sequence <= 3; sequence++) {
      byte[] whole = disk.contents(file(sequence));
      for (int bit = 0; bit < whole.length * 8; bit++) {
        byte[] damaged = whole.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        disk.replace(file(sequence), damaged);
        List<String> found = recover();
        assertThat(ALL).as("file %d bit %d", sequence, bit).containsSubsequence(found);
        assertThat(found.size()).isGreaterThanOrEqualTo(ALL.size() - 1);
        assertThat(report.damages().size() + report.cut().stream().count()).isEqualTo(1);
      }
      disk.replace(file(sequence), whole);
    }
  }

  @Test
  void damageBeforeIntactFramesOfTheLastFileIsPassedOverAndKept() throws IOException {
    byte[] bytes = disk.contents(file(3));
    int payload = FileHeader.BYTES + HEAD;
    bytes[payload] ^= 1;
    disk.replace(file(3), bytes);
    assertThat(recover())
        .isEqualTo(List.of(ALL.get(0), ALL.get(1), ALL.get(2), ALL.get(3), ALL.get(5)));
    assertThat(report.cut()).isEmpty();
    assertThat(report.damages())
        .containsExactly(
            new Damage(name(3), 32, HEAD + "31 fifth".length(), "checksum: does not match"));
    assertThat(disk.contents(file(3))).isEqualTo(bytes);
  }

  /**
   * A header that a crash cannot have torn: there are frames after it, perhaps acknowledged ones.
   */
  @Test
  void aLastFileWithoutReadableBeginningIsKeptAsEvidence() throws IOException {
    byte[] bytes = disk.contents(file(3));
    Arrays.fill(bytes, 0, 45, (byte) 0);
    disk.replace(file(3), bytes);
    assertThat(recover()).isEqualTo(ALL.subList(0, 4));
    assertThat(report.cut()).isEmpty();
    assertThat(report.damages())
        .containsExactly(new Damage(name(3), 0, bytes.length, "file header"));
    assertThat(disk.contents(file(3))).isEqualTo(bytes);
  }

  /** Somebody imports a folder that contains a journal: its frames travel as payload. */
  @Test
  void framesInsideAPayloadAreNeverBelieved() throws IOException {
    byte[] journalAsPayload = disk.contents(file(3));
    try (Journal journal = open(new ArrayList<>())) {
      for (byte[] payload : List.of(journalAsPayload, "last".getBytes(UTF_8))) {
        journal.append(new Source.Otlp(Signal.LOGS), payload).toCompletableFuture().join();
      }
    }
    byte[] bytes = disk.contents(file(4));
    // Worse: the payload knows the marker of the very file that it stands in.
    byte[] copyOfLast = Arrays.copyOfRange(bytes, bytes.length - HEAD - 4, bytes.length);
    System.arraycopy(copyOfLast, 0, bytes, FileHeader.BYTES + HEAD + 5, copyOfLast.length);
    disk.replace(file(4), bytes);
    List<String> found = recover();
    assertThat(found.subList(0, 6)).isEqualTo(ALL);
    assertThat(found.subList(6, found.size())).containsExactly("last");
    assertThat(report.damages()).hasSize(1);
  }

  @Test
  void anEmptyFileIsReportedAndItsNumberIsNotUsedAgain() throws IOException {
    disk.replace(file(7), new byte[0]);
    assertThat(recover()).isEqualTo(ALL);
    assertThat(report.emptyFiles()).containsExactly(name(7));
    assertThat(appendOne().file()).isEqualTo(8);
  }

  @Test
  void filesOfOthersAreIgnoredAndReported() throws IOException {
    disk.replace(FOLDER.resolve("notes.txt"), new byte[] {1});
    disk.replace(FOLDER.resolve("journal-7.log"), new byte[] {1});
    disk.replace(file(9), disk.contents(file(1)));
    assertThat(recover()).as("a copy under another name is not read twice").isEqualTo(ALL);
    assertThat(report.ignoredFiles())
        .containsExactly(
            name(9) + ": a copy of file 1",
            "journal-7.log: not a name of a journal file",
            "notes.txt: not a name of a journal file");
    assertThat(appendOne().file()).isEqualTo(10);
  }

  @Test
  void aFileWhoseCreationWasInterruptedIsRemoved() throws IOException {
    Path unfinished = FOLDER.resolve(name(4) + ".new");
    disk.replace(unfinished, new byte[] {1, 2, 3});
    assertThat(recover()).isEqualTo(ALL);
    assertThat(report.unfinishedFiles()).containsExactly(name(4) + ".new");
    assertThat(disk.list(FOLDER)).containsExactly(name(1), name(2), name(3));
  }

  private Position appendOne() throws IOException {
    try (Journal journal = open(new ArrayList<>())) {
      return journal.append(new Source.Checkpoint(), new byte[1]).toCompletableFuture().join();
    }
  }

  private List<String> recover() throws IOException {
    List<String> found = new ArrayList<>();
    try (Journal journal = open(found)) {
      report = journal.recovery();
    }
    return found;
  }

  private Journal open(List<String> found) throws IOException {
    return Journal.open(
        disk,
        FOLDER,
        JournalOptions.defaults(),
        (position, frame) -> found.add(new String(frame.payload(), UTF_8)));
  }

  private static Path file(int sequence) {
    return FOLDER.resolve(name(sequence));
  }

  private static String name(int sequence) {
    return JournalFolder.name(sequence);
  }
}
