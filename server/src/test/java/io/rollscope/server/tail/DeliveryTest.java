package io.rollscope.server.tail;

import static io.rollscope.server.tail.GrowingFolderTest.append;
import static io.rollscope.server.tail.GrowingFolderTest.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.store.Incoming;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.journal.JournalOptions;
import io.rollscope.store.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Following into a real journal whose disk fails, recovers, or whose process is started again. */
class DeliveryTest {
  @TempDir Path temp;
  private final FaultyDisk disk = new FaultyDisk(new RealDisk());
  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private Path folder;
  private Path file;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectories(temp.resolve("exp"));
    file = folder.resolve("producer_trace_1_0001_000000.jsonl");
  }

  @Test
  void whatTheStoreCannotTakeNowIsOfferedAgainUntilItCan() throws Exception {
    append(file, event("a:1", "judge.start", 1));
    try (JournalSink sink = open()) {
      disk.setBroken(true);
      FolderTail tail = follow(sink, 4);
      tail.poll();

      assertThat(pauses).hasSizeGreaterThanOrEqualTo(4).isSorted();
      assertThat(tail.numbers().retries()).isEqualTo(4);
      assertThat(tail.numbers().requests()).isEqualTo(1);
      assertThat(tail.numbers().lastError()).isNull();
    }
    try (JournalSink sink = open()) {
      assertThat(sink.recovered()).hasSize(1);
    }
  }

  @Test
  void beingStoppedWhileTheStoreCannotTakeAnythingLosesNothing() throws Exception {
    append(file, event("a:1", "judge.start", 1), event("a:1", "judge.end", 2));
    try (JournalSink sink = open()) {
      disk.setBroken(true);
      FolderTail tail = new FolderTail(watched(), setup(sink, time -> true));
      tail.poll();
      assertThat(said).isEmpty();
      assertThat(tail.numbers().requests()).isZero();
      disk.setBroken(false);
    }
    try (JournalSink sink = open()) {
      assertThat(sink.recovered()).isEmpty();
      follow(sink, 0).poll();
    }
    try (JournalSink sink = open()) {
      assertThat(spans(sink)).isEqualTo(1);
      append(file, event("a:2", "judge.start", 3));
      follow(sink, 0).poll();
    }
    try (JournalSink sink = open()) {
      assertThat(spans(sink)).isEqualTo(2);
      assertThat(sink.recovered()).hasSize(2);
    }
  }

  @Test
  void aRequestThatNeverFitsIsCountedAndPassedOver() throws Exception {
    append(file, event("a:" + "x".repeat(900), "judge.start", 1));
    JournalOptions tiny = JournalOptions.defaults().withMaxFrameBytes(300);
    try (JournalSink sink = new JournalSink(disk, temp.resolve("journal"), tiny)) {
      FolderTail tail = follow(sink, 0);
      tail.poll();
      assertThat(tail.numbers().refused().values()).containsExactly(1L);
      assertThat(tail.numbers().lagBytes()).isZero();

      append(file, event("a:2", "judge.start", 2));
      tail.poll();
      assertThat(tail.numbers().requests()).isEqualTo(1);
    }
  }

  private static long spans(JournalSink sink) throws Exception {
    long spans = 0;
    for (byte[] request : sink.recovered()) {
      spans +=
          RequestDecoder.decode(Signal.TRACES, request, Incoming.HEAD, Tails.NOW).spans().size();
    }
    return spans;
  }

  private JournalSink open() throws IOException {
    return new JournalSink(disk, temp.resolve("journal"), JournalOptions.defaults());
  }

  /** The disk works again after this many pauses. */
  private FolderTail follow(Sink sink, int pausesUntilMended) {
    return new FolderTail(
        watched(),
        setup(
            sink,
            time -> {
              if (!time.isZero()) {
                pauses.add(time);
              }
              disk.setBroken(pauses.size() < pausesUntilMended);
              return false;
            }));
  }

  private WatchedFolder watched() {
    return new WatchedFolder(folder, null, null);
  }

  private TailSetup setup(Sink sink, Waiting waiting) {
    return new TailSetup(sink, () -> Tails.NOW, waiting, said::add, 64L << 20);
  }
}
