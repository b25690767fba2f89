package io.rollscope.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesFileTest {
  @TempDir Path folder;

  @Test
  void sizeCountsWhatWasThereAndWhatWaits() throws IOException {
    Path path = Files.writeString(folder.resolve("a.jsonl"), "1\n");
    try (JsonLinesFile file = new JsonLinesFile(path)) {
      file.append(new JsonText().number(22L));

      assertThat(file.size()).isEqualTo(5);
      assertThat(Files.readString(path)).isEqualTo("1\n");
    }

    assertThat(Files.readString(path)).isEqualTo("1\n22\n");
  }

  /** A playback is stopped by an interrupt and still has lines to write. */
  @Test
  void interruptLosesNothing() throws IOException {
    Path path = folder.resolve("below").resolve("a.jsonl");
    Thread.currentThread().interrupt();
    try (JsonLinesFile file = new JsonLinesFile(path)) {
      file.append(new JsonText().string("late"));
    }

    assertThat(Thread.interrupted()).isTrue();
    assertThat(Files.readString(path)).isEqualTo("\"late\"\n");
  }
}
