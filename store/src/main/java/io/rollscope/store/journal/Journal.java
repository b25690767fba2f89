package io.rollscope.store.journal;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.DiskLock;
import io.rollscope.store.disk.DiskLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Makes frames durable and, after a restart, hands them out again. One writer per folder.
 *
 * <p>Thread-safe. Stages complete on the thread that writes: what depends on them must be brief or
 * use the {@code …Async} methods.
 */
public final class Journal implements Closeable {
  private final JournalOptions options;
  private final JournalFolder folder;
  private final DiskLock lock;
  private final RecoveryReport recovery;
  private final Counters counters;
  private final WorkQueue queue;
  private final Committer committer;
  private final Thread thread;

  private Journal(
      JournalFolder folder, JournalOptions options, DiskLock lock, RecoveryReport recovery) {
    this.folder = folder;
    this.options = options;
    this.lock = lock;
    this.recovery = recovery;
    counters = new Counters(options.nanoTime());
    queue = new WorkQueue(options.maxInFlightBytes(), options.maxInFlightFrames());
    committer = new Committer(folder, options, queue, counters);
    thread = new Thread(committer, "rollscope-journal");
    thread.setDaemon(true);
  }

  /**
   * Opens the journal in a folder, which it creates if need be and which should hold nothing else.
   *
   * @param receiver gets every intact frame before this method returns; these are durable when it
   *     returns, and worthless if it throws
   * @throws JournalLockedException if somebody else has it open
   * @throws JournalVersionException if a newer Rollscope wrote some of it
   */
  public static Journal open(Disk disk, Path path, JournalOptions options, FrameReceiver receiver)
      throws IOException {
    disk.createFolders(path);
    DiskLock lock = lock(disk, path);
    try {
      JournalFolder folder = new JournalFolder(disk, path);
      RecoveryReport recovery = new Recovery(folder).run(receiver);
      Journal journal = new Journal(folder, options, lock, recovery);
      journal.thread.start();
      return journal;
    } catch (IOException | RuntimeException | Error e) {
      try {
        lock.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static DiskLock lock(Disk disk, Path path) throws IOException {
    try {
      return disk.lock(path.resolve(JournalFolder.LOCK), "pid " + ProcessHandle.current().pid());
    } catch (DiskLockedException e) {
      throw new JournalLockedException(path, e.holder(), e);
    }
  }

  /**
   * Completes with the frame's position when it is durable. Fails with {@link JournalBusyException}
   * at once if too much is waiting, with {@link JournalFailedException} if the disk fails, with
   * {@link FrameTooLargeException} or {@link JournalClosedException}; never blocks, never throws
   * these.
   *
   * @param payload must not be changed until then
   */
  public CompletionStage<Position> append(Source source, byte[] payload) {
    CompletableFuture<Position> done = new CompletableFuture<>();
    append(source, payload, done);
    return done.minimalCompletionStage();
  }

  /**
   * The same; {@code then} gets position or failure. For frames that become durable it runs on the
   * thread that writes, in the order of the journal, and before any later work is done.
   */
  public <T> CompletionStage<T> append(
      Source source, byte[] payload, BiFunction<Position, Throwable, T> then) {
    CompletableFuture<Position> done = new CompletableFuture<>();
    CompletionStage<T> handled = done.handle(then);
    append(source, payload, done);
    return handled;
  }

  private void append(Source source, byte[] payload, CompletableFuture<Position> done) {
    Frame frame = new Frame(source, payload);
    long bytes = FrameLayout.size(frame);
    if (bytes > options.maxFrameBytes()) {
      done.completeExceptionally(new FrameTooLargeException(bytes, options.maxFrameBytes()));
    } else {
      submit(new Work.Append(frame, bytes, done), done);
    }
  }

  /**
   * Begins a new file with these frames: what must outlive the files about to be deleted. After a
   * crash all of them are there or none. Completes with the position of the first, when they are
   * durable; everything appended earlier lies before it, everything later after it.
   */
  public CompletionStage<Position> checkpoint(List<Frame> frames) {
    CompletableFuture<Position> done = new CompletableFuture<>();
    submit(new Work.Checkpoint(List.copyOf(frames), done), done);
    return done.minimalCompletionStage();
  }

  /**
   * Deletes files whose frames all lie before this position, but never the newest. Completes with
   * their number.
   */
  public CompletionStage<Integer> deleteBefore(Position position) {
    CompletableFuture<Integer> done = new CompletableFuture<>();
    submit(new Work.Delete(position, done), done);
    return done.minimalCompletionStage();
  }

  private void submit(Work work, CompletableFuture<?> done) {
    switch (queue.offer(work)) {
      case ACCEPTED -> {}
      case CLOSED -> done.completeExceptionally(new JournalClosedException());
      case FULL -> {
        counters.framesRefused.increment();
        done.completeExceptionally(busy());
      }
    }
  }

  private JournalBusyException busy() {
    return new JournalBusyException(
        String.format(
            "journal: %d frames, %d bytes waiting for the disk (expected: at most %d, %d)",
            queue.frames(), queue.bytes(), options.maxInFlightFrames(), options.maxInFlightBytes()),
        options.retryAfter());
  }

  /** What was found when the journal was opened. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** Whether the last write succeeded. */
  public JournalHealth health() {
    return committer.health();
  }

  public JournalNumbers numbers() {
    return new JournalNumbers(
        counters.framesAppended.sum(),
        counters.bytesAppended.sum(),
        counters.framesRefused.sum(),
        counters.failures.sum(),
        counters.forces(),
        queue.frames(),
        queue.bytes(),
        recovery.cutBytes(),
        folder.count());
  }

  /** Writes what is waiting, then gives the folder free. */
  @Override
  public void close() throws IOException {
    queue.close();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    lock.close();
  }
}
