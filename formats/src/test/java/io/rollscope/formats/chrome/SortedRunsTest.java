package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedRunsTest {
  @TempDir Path folder;

  private record Item(long time, int track, long length, int sequence) {
    String line() {
      // Longer than a reading buffer now and then.
      return "line " + sequence + (sequence % 500 == 0 ? "x".repeat(1 << 19) : "");
    }
  }

  /** The rule in other words than the code's, as an oracle. */
  private static final Comparator<Item> ORDER =
      Comparator.comparingLong(Item::time)
          .thenComparingInt(Item::track)
          .thenComparing(Comparator.comparingLong(Item::length).reversed())
          .thenComparingInt(item -> item.length() >= 0 ? -item.sequence() : item.sequence());

  @Test
  void manyFilesAreMergedInSeveralLevels() throws Exception {
    Random random = new Random(7);
    List<Item> items = new ArrayList<>();
    List<String> merged = new ArrayList<>();
    try (SortedRuns runs = new SortedRuns(folder, 1)) {
      for (int run = 0; run < 2 * 32 + 5; run++) {
        EventBatch batch = new EventBatch();
        for (int i = 0; i < 20; i++) {
          Item item =
              new Item(random.nextInt(40), random.nextInt(3), random.nextInt(4) - 1L, items.size());
          items.add(item);
          add(batch, item);
        }
        runs.add(batch.sorted());
      }
      assertThat(runs.spills()).isEqualTo(2 * 32 + 4 + 2);
      assertEmpty();

      runs.merge(
          (b, at, size) ->
              merged.add(
                  new String(
                      b,
                      at + EventRecord.HEADER,
                      size - EventRecord.HEADER,
                      StandardCharsets.US_ASCII)));
    }
    items.sort(ORDER);
    assertThat(merged).isEqualTo(items.stream().map(Item::line).toList());
    assertEmpty();
  }

  private static void add(EventBatch batch, Item item) {
    byte[] line = item.line().getBytes(StandardCharsets.US_ASCII);
    Micros time = new Micros();
    time.whole = item.time();
    batch.begin();
    batch.append(line, 0, line.length);
    batch.finish(time, item.length(), item.track(), -1, -1);
  }

  /** Files have no name while they are used, so that a killed process leaves none. */
  private void assertEmpty() throws IOException {
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }
}
