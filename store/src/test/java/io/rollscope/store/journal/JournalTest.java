package io.rollscope.store.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.otlp.Signal;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a journal does for those who use it, on a real disk. */
@Timeout(60)
class JournalTest {
  private static final Source TRACES = new Source.Otlp(Signal.TRACES);
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

  @TempDir Path temp;
  private final FaultyDisk disk = new FaultyDisk(new RealDisk());

  @Test
  void framesComeBackInOrderWithTheirPositions() throws IOException {
    List<Position> appended = new ArrayList<>();
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      for (int i = 0; i < 100; i++) {
        appended.add(get(journal.append(TRACES, text(i))));
      }
    }
    List<String> found = new ArrayList<>();
    List<Position> positions = new ArrayList<>();
    FrameReceiver receiver =
        (position, frame) -> {
          positions.add(position);
          found.add(new String(frame.payload(), UTF_8));
        };
    Journal.open(disk, folder(), JournalOptions.defaults(), receiver).close();
    assertThat(positions).isEqualTo(appended);
    assertThat(found).hasSize(100).startsWith("0", "1").endsWith("99");
  }

  @Test
  void aSecondWriterIsRefusedAndToldWhoTheFirstIs() throws IOException {
    try (Journal first = open(JournalOptions.defaults(), new ArrayList<>())) {
      assertThatThrownBy(() -> open(JournalOptions.defaults(), new ArrayList<>()))
          .isInstanceOf(JournalLockedException.class)
          .hasMessage(
              "journal folder %s: in use by pid %d (expected: one writer)",
              folder(), ProcessHandle.current().pid());
      get(first.append(TRACES, text(1)));
    }
    open(JournalOptions.defaults(), new ArrayList<>()).close();
  }

  @Test
  void filesAreRolledBySizeAndDeletedUpToAPosition() throws IOException {
    try (Journal journal = open(JournalOptions.defaults().withFileBytes(1000), new ArrayList<>())) {
      List<Position> positions = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        positions.add(get(journal.append(TRACES, new byte[82])));
      }
      assertThat(positions.get(49).file()).as("32 + 9 × 100 bytes each").isEqualTo(6);
      assertThat(journal.numbers().files()).isEqualTo(6);
      assertThat(get(journal.deleteBefore(positions.get(20)))).isEqualTo(2);
      assertThat(get(journal.deleteBefore(positions.get(20)))).isZero();
      assertThat(logFiles()).containsExactly(3L, 4L, 5L, 6L);
      Position pastTheEnd = new Position(99, 0);
      assertThat(get(journal.deleteBefore(pastTheEnd))).isEqualTo(3);
      assertThat(logFiles()).as("never the newest").containsExactly(6L);
    }
  }

  /** A position in the manifest of the segments must stay ahead of everything deleted. */
  @Test
  void numbersGrowAlsoWhenEverythingWasDeletedAfterAReopening() throws IOException {
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      get(journal.append(TRACES, text(1)));
      get(journal.checkpoint(List.of()));
    }
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      assertThat(get(journal.deleteBefore(new Position(99, 0)))).isEqualTo(1);
      assertThat(logFiles()).containsExactly(2L);
    }
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      assertThat(get(journal.append(TRACES, text(1))).file()).isEqualTo(3);
    }
  }

  /** A span open for days pins nothing: its start moves to a new file and the old ones go. */
  @Test
  void aCheckpointOutlivesTheFilesBeforeIt() throws IOException {
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      get(journal.append(TRACES, text(1)));
      List<Frame> open = List.of(new Frame(new Source.Checkpoint(), text(2)));
      CompletionStage<Position> checkpoint = journal.checkpoint(open);
      CompletionStage<Position> later = journal.append(TRACES, text(3));
      assertThat(get(checkpoint)).isEqualTo(new Position(2, 32)).isLessThan(get(later));
      assertThat(get(journal.deleteBefore(get(checkpoint)))).isEqualTo(1);
    }
    List<String> found = new ArrayList<>();
    open(JournalOptions.defaults(), found).close();
    assertThat(found).containsExactly("2", "3");
  }

  @Test
  void framesThatWaitForTheDiskShareOneWriteAndOneForce() throws Exception {
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      get(journal.append(TRACES, text(0)));
      Gate gate = new Gate();
      disk.watch(gate);
      CompletionStage<Position> first = journal.append(TRACES, text(1));
      gate.reached.await();
      int before = disk.calls().size();
      List<CompletionStage<Position>> rest = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        rest.add(journal.append(TRACES, text(i)));
      }
      assertThat(first.toCompletableFuture()).as("not durable").isNotDone();
      gate.open.countDown();
      rest.forEach(JournalTest::get);
      String openedAs = "journal-0000000000000001.log.new"; // calls name a file as it was opened
      assertThat(disk.calls().subList(before, disk.calls().size()))
          .containsExactly("write " + openedAs + " " + (20 * 18 + 30), "force " + openedAs);
      assertThat(journal.numbers().forces().count()).isEqualTo(4);
    }
  }

  /** Senders are faster than the disk: they are told to wait, memory does not grow. */
  @Test
  void tooMuchInFlightIsRefusedAtOnceAndAcceptedLater() throws Exception {
    JournalOptions options =
        JournalOptions.defaults().withMaxFrameBytes(100).withMaxInFlight(250, 3);
    try (Journal journal = open(options, new ArrayList<>())) {
      Gate gate = new Gate();
      disk.watch(gate);
      CompletionStage<Position> first = journal.append(TRACES, new byte[10]);
      gate.reached.await();
      CompletionStage<Position> second = journal.append(TRACES, new byte[10]);
      CompletionStage<Position> third = journal.append(TRACES, new byte[80]);
      assertThat(failure(journal.append(TRACES, new byte[1])))
          .isInstanceOfSatisfying(
              JournalBusyException.class,
              busy -> assertThat(busy.retryAfter()).isEqualTo(options.retryAfter()))
          .hasMessage(
              "journal: 3 frames, 154 bytes waiting for the disk (expected: at most 3, 250)");
      assertThat(journal.numbers().framesRefused()).isEqualTo(1);
      gate.open.countDown();
      get(first);
      get(second);
      get(third);
      get(journal.append(TRACES, new byte[80]));
      assertThat(journal.numbers().framesInFlight()).isZero();
      assertThat(journal.numbers().bytesInFlight()).isZero();
    }
  }

  @Test
  void aFrameThatCanNeverFitIsRefusedWithItsSize() throws IOException {
    JournalOptions options = JournalOptions.defaults().withMaxFrameBytes(100);
    try (Journal journal = open(options, new ArrayList<>())) {
      assertThat(failure(journal.append(TRACES, new byte[83])))
          .isInstanceOf(FrameTooLargeException.class)
          .hasMessage("frame: 101 bytes (expected: at most 100)");
      get(journal.append(TRACES, new byte[82]));
    }
  }

  @Test
  void aFrameLargerThanAFileAndTheBufferIsWrittenWhole() throws IOException {
    byte[] large = new byte[3_000_000];
    large[2_999_999] = 7;
    try (Journal journal = open(JournalOptions.defaults().withFileBytes(1000), new ArrayList<>())) {
      get(journal.append(TRACES, text(1)));
      get(journal.append(TRACES, large));
      get(journal.append(TRACES, text(2)));
      assertThat(logFiles()).containsExactly(1L, 2L, 3L);
    }
    List<Integer> sizes = new ArrayList<>();
    Journal.open(
            disk,
            folder(),
            JournalOptions.defaults(),
            (p, frame) -> sizes.add(frame.payload().length))
        .close();
    assertThat(sizes).containsExactly(1, 3_000_000, 1);
  }

  @Test
  void healthTellsReasonAndSinceWhen() throws IOException {
    JournalOptions options = JournalOptions.defaults().withClock(InstantSource.fixed(NOON));
    try (Journal journal = open(options, new ArrayList<>())) {
      assertThat(journal.health()).isEqualTo(new JournalHealth.Ok());
      disk.setBroken(true);
      assertThat(failure(journal.append(TRACES, text(1))))
          .isInstanceOf(JournalFailedException.class)
          .hasMessageContaining("injected failure of: openForAppend");
      assertThat(journal.health())
          .isEqualTo(
              new JournalHealth.Failing(
                  "injected failure of: openForAppend journal-0000000000000001.log.new", NOON));
      disk.setBroken(false);
      get(journal.append(TRACES, text(1)));
      assertThat(journal.health()).isEqualTo(new JournalHealth.Ok());
    }
  }

  @Test
  void closingWritesWhatWaitsAndRefusesTheRest() throws IOException {
    Journal journal = open(JournalOptions.defaults(), new ArrayList<>());
    CompletionStage<Position> waiting = journal.append(TRACES, text(1));
    journal.close();
    assertThat(waiting.toCompletableFuture()).isCompleted();
    assertThat(failure(journal.append(TRACES, text(2)))).isInstanceOf(JournalClosedException.class);
    journal.close();
  }

  @Test
  void aReceiverThatFailsLeavesTheFolderFree() throws IOException {
    try (Journal journal = open(JournalOptions.defaults(), new ArrayList<>())) {
      get(journal.append(TRACES, text(1)));
    }
    FrameReceiver failing =
        (position, frame) -> {
          throw new IllegalStateException("no");
        };
    assertThatThrownBy(() -> Journal.open(disk, folder(), JournalOptions.defaults(), failing))
        .hasMessage("no");
    open(JournalOptions.defaults(), new ArrayList<>()).close();
  }

  /** Holds up the first force until told otherwise. */
  private static final class Gate implements Consumer<String> {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void accept(String call) {
      if (call.startsWith("force journal")) {
        reached.countDown();
        try {
          open.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private Path folder() {
    return temp.resolve("data").resolve("journal");
  }

  private Journal open(JournalOptions options, List<String> found) throws IOException {
    return Journal.open(
        disk,
        folder(),
        options,
        (position, frame) -> found.add(new String(frame.payload(), UTF_8)));
  }

  private List<Long> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> JournalFolder.sequenceOf(file.getFileName().toString()))
          .filter(sequence -> sequence >= 0)
          .sorted()
          .toList();
    }
  }

  private static byte[] text(int number) {
    return Integer.toString(number).getBytes(UTF_8);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static Throwable failure(CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    try {
      future.join();
      throw new AssertionError("completed");
    } catch (CompletionException e) {
      return e.getCause();
    }
  }
}
