package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.store.segment.Damage;
import io.rollscope.store.segment.SegmentAudit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk loses a file, half of it, or a bit: that is set aside and said, and the rest is served.
 */
class DamagedFolderTest {
  private static final String NAMES = "select name from spans order by name";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;
  private Path segments;
  private Path aside;

  @BeforeEach
  void aFolderWithTwoSegments() throws Exception {
    segments = data.resolve("segments/v1");
    aside = data.resolve("segments/damaged");
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "first", 0, 10).send();
      store.sender().sendGauge("loss", 10, 1, 2);
      store.awaitSpans(1);
      store.tick();
      store.sealAll();
      store.sender().span(2, 1, 0, "second", 50, 60).send();
      store.awaitSpans(2);
    }
    assertThat(files(segments))
        .contains("manifest.json", "spans-00000001.parquet", "spans-00000002.parquet");
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  /** The first segment is damaged. */
  private void servesTheSecond(String... words) throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("second");
      assertThat(store.store().health().ready()).isTrue();
      assertThat(store.store().health().damaged())
          .singleElement()
          .asString()
          .contains("spans-00000001.parquet")
          .contains(words)
          .doesNotContain("\n");
      assertThat(store.store().numbers().damagedSegments()).isEqualTo(1);
      assertThat(store.live("run-1").sessionSummary()).containsEntry("total", 1);
    }
    assertThat(files(segments)).noneMatch(f -> f.matches("(spans|sessions|metrics)-00000001.*"));
    try (TestStore again = TestStore.open(data, clock)) {
      assertThat(again.query(NAMES)).containsExactly("second");
      assertThat(again.store().numbers().damagedSegments()).isEqualTo(1);
    }
  }

  private void flip(Path file, int at) throws IOException {
    byte[] all = Files.readAllBytes(file);
    all[at] ^= 1;
    Files.write(file, all);
  }

  @Test
  void aFileThatIsMissing() throws Exception {
    Files.delete(segments.resolve("spans-00000001.parquet"));
    servesTheSecond("spans-00000001.parquet is missing");
  }

  @Test
  void aFileThatIsCut() throws Exception {
    Path file = segments.resolve("spans-00000001.parquet");
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - 10));
    servesTheSecond((all.length - 10) + " bytes (expected: " + all.length + ")");
    assertThat(aside.resolve("spans-00000001.parquet")).hasSize(all.length - 10);
  }

  @Test
  void aFileThatIsEmpty() throws Exception {
    Files.write(segments.resolve("sessions-00000001.parquet"), new byte[0]);
    servesTheSecond("sessions-00000001.parquet has 0 bytes");
  }

  @Test
  void aFileWhoseEndIsGarbage() throws Exception {
    Path file = segments.resolve("sessions-00000001.parquet");
    byte[] all = Files.readAllBytes(file);
    Arrays.fill(all, all.length - 50, all.length, (byte) 7);
    Files.write(file, all);
    servesTheSecond("checksum");
  }

  /** One bit: the server starts as ever, and notices in the background. */
  @Test
  void aBitThatFlippedIsFoundWhileTheServerRuns() throws Exception {
    flip(segments.resolve("spans-00000001.parquet"), 100);
    try (TestStore store = TestStore.open(data, clock)) {
      store.tickUntil(() -> store.store().numbers().damagedSegments() == 1);
      assertThat(store.query(NAMES)).containsExactly("second");
      assertThat(store.store().health().damaged().get(0)).contains("checksum");
      assertThat(store.live("run-1").sessionSummary()).containsEntry("total", 1);
    }
  }

  /** A file vanishes below a server that runs: one question fails, not all that follow. */
  @Test
  void aFileDamagedWhileTheServerRunsIsSetAside() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("first", "second");
      store.tick();
      Files.write(segments.resolve("spans-00000001.parquet"), new byte[10]);
      Files.write(segments.resolve("sessions-00000001.parquet"), new byte[10]);
      store.sender().span(3, 1, 0, "third", 50, 60).send();
      store.awaitSpans(1);
      assertThatThrownBy(() -> store.query("select count(*) from sessions"))
          .isInstanceOf(java.sql.SQLException.class);
      store.tickUntil(() -> store.store().numbers().damagedSegments() == 1);
      assertThat(store.query(NAMES)).containsExactly("second", "third");
      store.sealAll();
      assertThat(store.store().health().ready()).isTrue();
    }
  }

  private void isRebuilt() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("first", "second");
      assertThat(store.query("select count(*) from sessions")).containsExactly("2");
      assertThat(store.query("select count(*) from metrics")).containsExactly("2");
      assertThat(store.store().health().ready()).isTrue();
      assertThat(store.store().health().damaged().get(0)).startsWith("manifest.json: ");
      store.sender().span(1, 1, 0, "first", 0, 10).send();
      store.tickUntil(() -> store.store().numbers().duplicates() == 1);
    }
    List<String> done = new ArrayList<>();
    assertThat(DataFolder.repair(data, false, done::add)).isEmpty();
    assertThat(done).singleElement().asString().startsWith("manifest.json: made from");
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("first", "second");
      assertThat(store.store().health().damaged()).isEmpty();
    }
  }

  @Test
  void aManifestThatIsMissingIsMadeAnew() throws Exception {
    Files.delete(segments.resolve("manifest.json"));
    isRebuilt();
  }

  @Test
  void aManifestThatIsCutIsMadeAnew() throws Exception {
    String all = Files.readString(segments.resolve("manifest.json"));
    Files.writeString(segments.resolve("manifest.json"), all.substring(0, all.length() / 2));
    isRebuilt();
    assertThat(aside.resolve("manifest.json")).exists();
  }

  @Test
  void anEmptyManifestIsMadeAnew() throws Exception {
    Files.writeString(segments.resolve("manifest.json"), "");
    isRebuilt();
  }

  @Test
  void aManifestOfGarbageAndASegmentOfGarbage() throws Exception {
    Files.writeString(segments.resolve("manifest.json"), "{\"version\": \"?\"}");
    Files.writeString(segments.resolve("spans-00000001.parquet"), "garbage");
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("second");
      assertThat(store.store().health().damaged()).hasSize(2);
    }
  }

  /** Somebody goes back to an older Rollscope. */
  @Test
  void aFolderOfANewerVersionIsRefusedAndLeftAlone() throws Exception {
    Files.writeString(segments.resolve("manifest.json"), "{\"version\": 4, \"shards\": []}");
    List<String> before = files(segments);
    assertThatThrownBy(() -> TestStore.open(data, clock))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(segments.resolve("manifest.json").toString())
        .hasMessageContaining("version 4 (expected: at most 3")
        .hasMessageNotContainingAny("\n");
    assertThat(files(segments)).isEqualTo(before);
  }

  @Test
  void idsThatAreCutAreNotUsed() throws Exception {
    Path file = segments.resolve("ids-00000001");
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - 3));
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("first", "second");
    }
  }

  @Test
  void anIntactFolderIsOnlyRidOfWhatACrashLeft() throws Exception {
    List<String> before = files(segments);
    Files.writeString(segments.resolve("spans-00000099.parquet"), "left by a crash");
    Files.writeString(segments.resolve("manifest.json.new"), "left by a crash");
    TestStore store = TestStore.open(data, clock);
    assertThat(files(segments)).isEqualTo(before);
    store.close();
  }

  /** Somebody restores a file from a backup. */
  @Test
  void whatWasSetAsideIsUsedAgainWhenItIsWhole() throws Exception {
    Path file = segments.resolve("spans-00000001.parquet");
    byte[] whole = Files.readAllBytes(file);
    flip(file, 100);
    List<SegmentAudit.Problem> found = new ArrayList<>();
    assertThat(DataFolder.verify(data, (bytes, of) -> {}, found::add).damaged()).isEqualTo(1);
    assertThat(found)
        .extracting(SegmentAudit.Problem::file)
        .containsExactly(file.getFileName() + "");
    List<String> done = new ArrayList<>();
    assertThat(DataFolder.repair(data, false, done::add)).hasSize(1);
    assertThat(done).singleElement().asString().startsWith("set aside: ");
    Files.write(aside.resolve("spans-00000001.parquet"), whole);
    done.clear();
    assertThat(DataFolder.repair(data, false, done::add)).isEmpty();
    assertThat(done).singleElement().asString().startsWith("used again: ");
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("first", "second");
      assertThat(store.store().health().damaged()).isEmpty();
    }
  }

  @Test
  void damagedFilesAreDeletedOnlyWhenAskedTo() throws Exception {
    flip(segments.resolve("spans-00000001.parquet"), 100);
    List<Damage> rest = DataFolder.repair(data, false, line -> {});
    assertThat(rest).hasSize(1);
    assertThat(aside.resolve("spans-00000001.parquet")).exists();
    assertThat(DataFolder.repair(data, true, line -> {})).isEmpty();
    assertThat(aside.resolve("spans-00000001.parquet")).doesNotExist();
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(NAMES)).containsExactly("second");
      assertThat(store.store().health().damaged()).isEmpty();
    }
  }

  @Test
  void aFolderInUseIsNotRepaired() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      assertThatThrownBy(() -> DataFolder.repair(data, false, line -> {}))
          .hasMessageContaining("in use");
      assertThat(store.query(NAMES)).hasSize(2);
    }
  }
}
