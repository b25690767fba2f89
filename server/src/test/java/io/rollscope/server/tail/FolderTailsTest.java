package io.rollscope.server.tail;

import static io.rollscope.server.tail.GrowingFolderTest.append;
import static io.rollscope.server.tail.GrowingFolderTest.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.server.ServerOptions.WatchedFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders followed on threads of their own. */
class FolderTailsTest {
  @TempDir Path temp;
  private final MemorySink sink = new MemorySink();

  @Test
  void severalFoldersAreFollowedUntilClosed() throws Exception {
    Path one = Files.createDirectories(temp.resolve("one"));
    Path two = Files.createDirectories(temp.resolve("two"));
    List<WatchedFolder> folders =
        List.of(new WatchedFolder(one, null, null), new WatchedFolder(two, "xtuner", "mine"));
    try (FolderTails tails = FolderTails.start(folders, sink, () -> Tails.NOW, line -> {})) {
      append(one.resolve("producer_trace_1_0001_000000.jsonl"), event("a:1", "judge.start", 1));
      append(two.resolve("producer_trace_1_0001_000000.jsonl"), event("a:1", "judge.start", 1));
      await(() -> tails.numbers().stream().allMatch(n -> n.spans() == 1));
      append(one.resolve("producer_trace_1_0001_000000.jsonl"), event("a:1", "judge.end", 2));
      await(() -> tails.numbers().get(0).spans() == 2);
    }

    ToldSpans told = ToldSpans.of(sink.taken());
    assertThat(told.byId()).hasSize(2);
    assertThat(told.open()).isEqualTo(1);
  }

  /** A folder that all users of a cluster write to. */
  @Test
  void whatOthersPutIntoTheFolderHoldsNobodyUp() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("run"));
    HostileFiles.putInto(folder);
    Path good = folder.resolve("producer_trace_1_0001_000000.jsonl");
    List<WatchedFolder> folders = List.of(new WatchedFolder(folder, null, null));
    try (FolderTails tails = FolderTails.start(folders, sink, () -> Tails.NOW, line -> {})) {
      append(good, event("a:1", "judge.start", 1));
      await(() -> tails.numbers().get(0).spans() == 1);
      append(good, event("a:1", "judge.end", 2));
      await(() -> tails.numbers().get(0).spans() == 2);
    }
    assertThat(ToldSpans.of(sink.taken()).byId()).hasSize(1);
  }

  @Test
  void anUnknownFormatIsSaidAtTheStart() {
    List<WatchedFolder> folders = List.of(new WatchedFolder(temp, "nonsense", null));

    assertThatThrownBy(() -> FolderTails.start(folders, sink, () -> Tails.NOW, line -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense (expected: xtuner");
  }

  private static void await(BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(90));
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }
}
