package io.rollscope.store.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The one thread that writes. While it waits for the disk, frames gather; the next round writes all
 * of them with one force. After an error it removes what it cannot vouch for and goes on: the next
 * round tries again, in a new file if the old one cannot be trusted.
 */
final class Committer implements Runnable {
  private final JournalFolder folder;
  private final JournalOptions options;
  private final WorkQueue queue;
  private final Counters counters;
  private final FrameWriter writer = new FrameWriter();

  /** Null until a frame needs a file: what was read at opening is never written to again. */
  private JournalFile current;

  private volatile JournalHealth health = new JournalHealth.Ok();

  Committer(JournalFolder folder, JournalOptions options, WorkQueue queue, Counters counters) {
    this.folder = folder;
    this.options = options;
    this.queue = queue;
    this.counters = counters;
  }

  JournalHealth health() {
    return health;
  }

  @Override
  public void run() {
    List<Work> group = take();
    try {
      while (!group.isEmpty()) {
        perform(group);
        group = take();
      }
    } finally {
      giveUp(group);
      leaveFile(null);
    }
  }

  /** Nobody may wait for a thread that is gone, whatever ended it. */
  private void giveUp(List<Work> unfinished) {
    queue.close();
    List<Work> group = unfinished;
    while (!group.isEmpty()) {
      group.forEach(work -> work.done().completeExceptionally(new JournalClosedException()));
      group = take();
    }
  }

  private List<Work> take() {
    boolean fresh = current == null || current.length() >= options.fileBytes();
    return queue.take(options.fileBytes() - (fresh ? FileHeader.BYTES : current.length()));
  }

  /** Does the work, gives its memory free, and only then tells those who wait for it. */
  private void perform(List<Work> group) {
    Runnable answer;
    try {
      answer = attempt(group);
    } catch (IOException | RuntimeException | Error e) {
      answer = failure(group, e);
    }
    queue.release(group);
    answer.run();
  }

  private Runnable attempt(List<Work> group) throws IOException {
    if (group.get(0) instanceof Work.Checkpoint checkpoint) {
      Position position = checkpoint(checkpoint.frames());
      return () -> checkpoint.done().complete(position);
    }
    if (group.get(0) instanceof Work.Delete delete) {
      int deleted = folder.deleteBefore(delete.before());
      return () -> delete.done().complete(deleted);
    }
    return commit(group.stream().map(Work.Append.class::cast).toList());
  }

  private Runnable commit(List<Work.Append> group) throws IOException {
    long bytes = group.stream().mapToLong(Work.Append::bytes).sum();
    List<Frame> frames = group.stream().map(Work.Append::frame).toList();
    if (current != null && isFullFor(bytes)) {
      leaveFile(null);
    }
    if (current == null) {
      current = folder.create(List.of(), writer, counters);
    }
    long offset = current.length();
    write(frames);
    counters.framesAppended.add(group.size());
    counters.bytesAppended.add(bytes);
    List<Position> positions = new ArrayList<>();
    for (Work.Append append : group) {
      positions.add(new Position(current.sequence(), offset));
      offset += append.bytes();
    }
    return () -> {
      for (int i = 0; i < positions.size(); i++) {
        group.get(i).done().complete(positions.get(i));
      }
    };
  }

  private boolean isFullFor(long bytes) {
    return current.length() > FileHeader.BYTES && current.length() + bytes > options.fileBytes();
  }

  private void write(List<Frame> frames) throws IOException {
    try {
      current.append(frames);
    } catch (IOException | RuntimeException | Error e) {
      cutBack(e);
      throw e;
    }
    folder.add(current.sequence(), current.length());
    health = new JournalHealth.Ok();
  }

  private void cutBack(Throwable cause) {
    boolean usable = false;
    try {
      usable = current.cutBack();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
    if (!usable) {
      leaveFile(cause);
    }
  }

  private Position checkpoint(List<Frame> frames) throws IOException {
    // Also when the new file fails: it may exist nevertheless, and what is appended from now on
    // must come after it.
    leaveFile(null);
    current = folder.create(frames, writer, counters);
    health = new JournalHealth.Ok();
    return new Position(current.sequence(), FileHeader.BYTES);
  }

  /** Ends writing to the current file; all of it that counts is durable, so no error matters. */
  private void leaveFile(Throwable cause) {
    if (current == null) {
      return;
    }
    try {
      current.close();
    } catch (IOException e) {
      counters.failures.increment();
      if (cause != null) {
        cause.addSuppressed(e);
      }
    }
    current = null;
  }

  private Runnable failure(List<Work> group, Throwable cause) {
    counters.failures.increment();
    String reason = reason(cause);
    if (!(group.get(0) instanceof Work.Delete)) {
      health =
          health instanceof JournalHealth.Failing failing
              ? new JournalHealth.Failing(reason, failing.since())
              : new JournalHealth.Failing(reason, options.clock().instant());
    }
    JournalFailedException error =
        new JournalFailedException(
            "journal folder " + folder.path() + ": " + reason + " (expected: a working disk)",
            cause,
            options.retryAfter());
    return () -> group.forEach(work -> work.done().completeExceptionally(error));
  }

  private String reason(Throwable cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    try {
      return message + ", " + folder.disk().usableSpace(folder.path()) + " bytes usable";
    } catch (IOException e) {
      cause.addSuppressed(e);
      return message;
    }
  }
}
