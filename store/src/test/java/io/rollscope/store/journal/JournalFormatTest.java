package io.rollscope.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.store.testkit.ForgetfulDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The bytes on disk, as docs/storage.md describes them: a later version must read these. */
class JournalFormatTest {
  private static final Path FOLDER = Path.of("/data/journal");
  private static final long MARKER = 0x1122334455667788L;

  @Test
  void aHeaderIsMagicVersionSequenceMarkerChecksum() {
    byte[] bytes = new FileHeader(1, 7, MARKER).encode();
    assertThat(HexFormat.of().formatHex(bytes))
        .startsWith("526f6c6c4a726e6c" + "00000001" + "0000000000000007" + "1122334455667788")
        .hasSize(64);
    assertThat(FileHeader.decode(ByteBuffer.wrap(bytes))).contains(new FileHeader(1, 7, MARKER));
  }

  @Test
  void aFrameIsMarkerLengthChecksumVersionSourcePayload() {
    Frame frame = new Frame(new Source.TailedFile("é", 258), "xy".getBytes(UTF_8));
    byte[] head = FrameLayout.head(frame, MARKER, 32);
    ByteBuffer covered = ByteBuffer.allocate(20 + 16);
    covered.putLong(MARKER).putLong(32).putInt(16);
    covered.put(
        HexFormat.of().parseHex("01" + "04" + "0002" + "c3a9" + "0000000000000102" + "7879"));
    CRC32C crc = new CRC32C();
    crc.update(covered.array());
    assertThat(HexFormat.of().formatHex(head))
        .isEqualTo(
            "1122334455667788"
                + "00000010"
                + String.format("%08x", crc.getValue())
                + "01"
                + "04"
                + "0002c3a9"
                + "0000000000000102");
    assertThat(FrameLayout.size(frame)).isEqualTo(head.length + 2);
  }

  @Test
  void everySourceReadsBackAsItWasWritten() throws Exception {
    for (long id = 0; id < 5; id++) {
      Frame frame = new Frame(JournalModel.source(id), new byte[] {1, 2, 3});
      byte[] head = FrameLayout.head(frame, MARKER, 32);
      ByteBuffer bytes = ByteBuffer.allocate((int) FrameLayout.size(frame));
      bytes.put(head).put(frame.payload()).position(FrameLayout.PREFIX + 1);
      Frame read = FrameLayout.decode(bytes);
      assertThat(read.source()).isEqualTo(frame.source());
      assertThat(read.payload()).containsExactly(1, 2, 3);
    }
  }

  /** An operator goes back to an older Rollscope after an upgrade. */
  @Test
  void aNewerVersionIsRefusedBeforeAnythingIsChanged() throws Exception {
    ForgetfulDisk disk = new ForgetfulDisk();
    disk.createFolders(FOLDER);
    Path torn = FOLDER.resolve(JournalFolder.name(1));
    Path newer = FOLDER.resolve(JournalFolder.name(2));
    disk.replace(torn, new byte[] {1, 2, 3});
    disk.replace(newer, new FileHeader(2, 2, MARKER).encode());
    assertThatThrownBy(() -> open(disk))
        .isInstanceOf(JournalVersionException.class)
        .hasMessageContaining("journal-0000000000000002.log: format version 2 (expected: 1 to 1;");
    assertThat(disk.contents(torn)).hasSize(3);
  }

  @Test
  void aFrameOfANewerVersionIsRefused() throws Exception {
    ForgetfulDisk disk = new ForgetfulDisk();
    disk.createFolders(FOLDER);
    ByteBuffer body = ByteBuffer.wrap(new byte[] {9, 1});
    ByteBuffer file = ByteBuffer.allocate(FileHeader.BYTES + FrameLayout.PREFIX + 2);
    file.put(new FileHeader(1, 1, MARKER).encode()).putLong(MARKER).putInt(2);
    file.putInt(FrameLayout.checksum(MARKER, FileHeader.BYTES, body)).put(body);
    disk.replace(FOLDER.resolve(JournalFolder.name(1)), file.array());
    assertThatThrownBy(() -> open(disk))
        .isInstanceOf(JournalVersionException.class)
        .hasMessageContaining("format version 9 (expected: 1 to 1;");
  }

  @Test
  void aTailedFileNeedsAnIdAndAnOffset() {
    assertThatThrownBy(() -> new Source.TailedFile("", 0))
        .hasMessage("file id: 0 bytes (expected: 1 to 65535)");
    assertThatThrownBy(() -> new Source.TailedFile("f", -1))
        .hasMessage("end offset: -1 (expected: >= 0)");
  }

  private static void open(ForgetfulDisk disk) throws Exception {
    Journal.open(disk, FOLDER, JournalOptions.defaults(), (position, frame) -> {}).close();
  }
}
