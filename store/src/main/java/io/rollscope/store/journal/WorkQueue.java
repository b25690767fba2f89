package io.rollscope.store.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Work in the order of arrival. Frames count against the limits until they are durable or have
 * failed, so the journal holds no more than that in memory.
 */
final class WorkQueue {
  /** What became of an offer. */
  enum Answer {
    ACCEPTED,
    FULL,
    CLOSED
  }

  private final long maxBytes;
  private final int maxFrames;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final ArrayDeque<Work> waiting = new ArrayDeque<>();
  private long bytes;
  private int frames;
  private boolean closed;

  WorkQueue(long maxBytes, int maxFrames) {
    this.maxBytes = maxBytes;
    this.maxFrames = maxFrames;
  }

  Answer offer(Work work) {
    lock.lock();
    try {
      if (closed) {
        return Answer.CLOSED;
      }
      if (work instanceof Work.Append append) {
        if (frames >= maxFrames || bytes + append.bytes() > maxBytes) {
          return Answer.FULL;
        }
        frames++;
        bytes += append.bytes();
      }
      waiting.add(work);
      filled.signal();
      return Answer.ACCEPTED;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for work: one piece of another kind, or all waiting frames that fit in this many bytes,
   * at least one. Empty when the queue is closed and everything is done.
   */
  List<Work> take(long roomBytes) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        filled.awaitUninterruptibly();
      }
      List<Work> group = new ArrayList<>();
      long room = roomBytes;
      while (!waiting.isEmpty()) {
        if (waiting.peek() instanceof Work.Append append) {
          if (!group.isEmpty() && append.bytes() > room) {
            break;
          }
          room -= append.bytes();
          group.add(waiting.remove());
        } else {
          if (group.isEmpty()) {
            group.add(waiting.remove());
          }
          break;
        }
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** Gives back the room that these took. */
  void release(List<Work> group) {
    lock.lock();
    try {
      for (Work work : group) {
        if (work instanceof Work.Append append) {
          frames--;
          bytes -= append.bytes();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Accepts nothing more; what waits is still done. */
  void close() {
    lock.lock();
    try {
      closed = true;
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  int frames() {
    lock.lock();
    try {
      return frames;
    } finally {
      lock.unlock();
    }
  }

  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
