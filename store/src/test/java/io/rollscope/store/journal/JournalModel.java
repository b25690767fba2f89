package io.rollscope.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.Signal;
import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.ForgetfulDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Drives a journal and knows what must be found after opening it again: everything acknowledged and
 * not deleted, in the order of appending, exactly once, and nothing that was never appended. Frames
 * whose fate is unknown (the disk failed) may be found.
 */
final class JournalModel {
  static final Path FOLDER = Path.of("/data/journal");

  final ForgetfulDisk memory = new ForgetfulDisk();
  final FaultyDisk disk = new FaultyDisk(memory);
  private final JournalOptions options;

  /** Frames that may be there, by id; with a position if they must be. */
  private final TreeMap<Long, Position> required = new TreeMap<>();

  private final TreeMap<Long, Integer> possible = new TreeMap<>();
  private long nextId = 1;
  private Journal journal;

  JournalModel(JournalOptions options) {
    this.options = options;
  }

  Journal journal() {
    return journal;
  }

  int requiredFrames() {
    return required.size();
  }

  /** Opens and compares; a failure to open leaves all expectations as they were. */
  void open() throws IOException {
    TreeMap<Long, Position> found = new TreeMap<>();
    List<Long> order = new ArrayList<>();
    journal =
        Journal.open(
            disk,
            FOLDER,
            options,
            (position, frame) -> {
              long id = ByteBuffer.wrap(frame.payload()).getLong();
              assertThat(possible).as("frame that may be there").containsKey(id);
              assertThat(frame.payload()).isEqualTo(payload(id, possible.get(id)));
              assertThat(frame.source()).isEqualTo(source(id));
              found.put(id, position);
              order.add(id);
            });
    assertThat(order).as("order").isSorted().doesNotHaveDuplicates();
    assertThat(new ArrayList<>(found.values())).as("positions").isSorted();
    assertThat(found.keySet()).as("acknowledged frames").containsAll(required.keySet());
    required.clear();
    required.putAll(found);
    possible.keySet().retainAll(found.keySet());
  }

  /** Appends frames together and waits for all; returns how many were acknowledged. */
  int append(int frames, int bytes) {
    long first = nextId;
    List<CompletionStage<Position>> stages = new ArrayList<>();
    for (int i = 0; i < frames; i++) {
      Frame frame = newFrame(bytes);
      stages.add(journal.append(frame.source(), frame.payload()));
    }
    int acknowledged = 0;
    for (int i = 0; i < frames; i++) {
      acknowledged += settle(first + i, stages.get(i)) ? 1 : 0;
    }
    return acknowledged;
  }

  private boolean settle(long id, CompletionStage<Position> stage) {
    try {
      required.put(id, stage.toCompletableFuture().join());
      return true;
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(RetryableJournalException.class);
      if (e.getCause() instanceof JournalBusyException) {
        possible.remove(id);
      }
      return false;
    }
  }

  boolean checkpoint(int frames, int bytes) {
    long first = nextId;
    List<Frame> list = new ArrayList<>();
    for (int i = 0; i < frames; i++) {
      list.add(newFrame(bytes));
    }
    try {
      Position position = journal.checkpoint(list).toCompletableFuture().join();
      for (int i = 0; i < frames; i++) {
        required.put(first + i, position);
      }
      return true;
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(JournalFailedException.class);
      return false;
    }
  }

  /** Deletes before one of the frames that must be there. */
  void deleteBefore(int which) {
    if (required.isEmpty()) {
      return;
    }
    Position position = new ArrayList<>(required.values()).get(which % required.size());
    List<Long> ids =
        required.keySet().stream().filter(id -> required.get(id).file() < position.file()).toList();
    required.keySet().removeAll(ids);
    try {
      journal.deleteBefore(position).toCompletableFuture().join();
      possible.keySet().removeAll(ids); // what was deleted never comes back
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(JournalFailedException.class);
    }
  }

  void close() {
    if (journal != null) {
      try {
        journal.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      journal = null;
    }
  }

  /** Power goes; a random decides what survives of what was not forced, none means nothing does. */
  void losePower(Random random) {
    if (random == null) {
      memory.losePower();
    } else {
      memory.losePower(random);
    }
    close();
  }

  void kill() {
    memory.killProcess();
    close();
  }

  private Frame newFrame(int bytes) {
    long id = nextId++;
    possible.put(id, bytes);
    return new Frame(source(id), payload(id, bytes));
  }

  static Source source(long id) {
    return switch ((int) (id % 5)) {
      case 0 -> new Source.Otlp(Signal.TRACES);
      case 1 -> new Source.Otlp(Signal.LOGS);
      case 2 -> new Source.Otlp(Signal.METRICS);
      case 3 -> new Source.TailedFile("données/" + id, id * 1_000_003);
      default -> new Source.Checkpoint();
    };
  }

  static byte[] payload(long id, int bytes) {
    byte[] payload = new byte[Long.BYTES + bytes];
    new Random(id).nextBytes(payload);
    ByteBuffer.wrap(payload).putLong(id);
    return payload;
  }
}
