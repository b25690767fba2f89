package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder that somebody damaged is refused in one line, and nothing of it is deleted. */
class DamagedFolderTest {
  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;
  private Path segments;

  @BeforeEach
  void aFolderWithASegment() throws Exception {
    segments = data.resolve("segments/v1");
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "rollout", 0, 10).send();
      store.awaitSpans(1);
    }
    assertThat(files()).contains("manifest.json", "ids-00000001", "spans-00000001.parquet");
  }

  @Test
  void anIntactFolderIsOnlyRidOfWhatACrashLeft() throws Exception {
    List<String> before = files();
    Files.writeString(segments.resolve("spans-00000099.parquet"), "left by a crash");
    Files.writeString(segments.resolve("manifest.json.new"), "left by a crash");
    TestStore store = TestStore.open(data, clock);
    assertThat(files()).isEqualTo(before);
    store.close();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(segments)) {
      return all.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  private void refused(String file, String... parts) throws IOException {
    Files.writeString(segments.resolve("spans-00000099.parquet"), "left by a crash");
    List<String> before = files();
    assertThatThrownBy(() -> TestStore.open(data, clock))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(segments.resolve(file).toString())
        .hasMessageContainingAll(parts)
        .hasMessageNotContainingAny("\n");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aManifestThatIsMissing() throws Exception {
    Files.delete(segments.resolve("manifest.json"));
    refused("manifest.json", "missing");
  }

  @Test
  void aManifestThatIsCut() throws Exception {
    String all = Files.readString(segments.resolve("manifest.json"));
    Files.writeString(segments.resolve("manifest.json"), all.substring(0, all.length() / 2));
    refused("manifest.json", "expected: a manifest");
  }

  @Test
  void anEmptyManifest() throws Exception {
    Files.writeString(segments.resolve("manifest.json"), "");
    refused("manifest.json", "expected: ");
  }

  /** Somebody goes back to an older Rollscope. */
  @Test
  void aManifestOfANewerVersion() throws Exception {
    Files.writeString(segments.resolve("manifest.json"), "{\"version\": 2, \"shards\": []}");
    refused("manifest.json", "version 2 (expected: 1)");
  }

  @Test
  void aSegmentThatIsMissing() throws Exception {
    Files.delete(segments.resolve("spans-00000001.parquet"));
    refused("spans-00000001.parquet", "missing");
  }

  @Test
  void aSegmentThatIsCut() throws Exception {
    Path file = segments.resolve("spans-00000001.parquet");
    byte[] all = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(all, all.length - 10));
    refused("spans-00000001.parquet", "expected: ");
  }

  @Test
  void aSegmentWhoseEndIsGarbage() throws Exception {
    Path file = segments.resolve("sessions-00000001.parquet");
    byte[] all = Files.readAllBytes(file);
    java.util.Arrays.fill(all, all.length - 50, all.length, (byte) 7);
    Files.write(file, all);
    refusedAfterReading(file);
  }

  private void refusedAfterReading(Path file) {
    assertThatThrownBy(() -> TestStore.open(data, clock))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContainingAny("\n");
    assertThat(file).exists();
  }

  @Test
  void idsThatAreCut() throws Exception {
    Path file = segments.resolve("ids-00000001");
    byte[] all = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(all, all.length - 3));
    refused("ids-00000001", "damaged");
  }

  /** The folder can be used again when the damage is undone: nothing keeps it locked. */
  @Test
  void aRefusalLeavesNothingOpen() throws Exception {
    Path manifest = segments.resolve("manifest.json");
    String all = Files.readString(manifest);
    Files.writeString(manifest, "{");
    assertThatThrownBy(() -> TestStore.open(data, clock)).isInstanceOf(IOException.class);
    Files.writeString(manifest, all);
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query("select count(*) from spans")).containsExactly("1");
    }
  }
}
