package io.rollscope.sdk.internal.span;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded queue of many writers and one reader, without locks. A full one refuses: the newest is
 * what gets lost.
 */
public final class Buffer {
  /** So many waiting things are worth a request. */
  public static final int WORTH_SENDING = 4_096;

  private final AtomicReferenceArray<Object> slots;
  private final int mask;
  private final Runnable wakeReader;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private volatile long limit;

  /**
   * @param limit how many things may wait
   * @param wakeReader called on the writer's thread each time {@link #WORTH_SENDING} were written
   */
  public Buffer(int limit, Runnable wakeReader) {
    int capacity = limit <= 1 ? 1 : Integer.highestOneBit(limit - 1) << 1;
    slots = new AtomicReferenceArray<>(capacity);
    mask = capacity - 1;
    this.limit = limit;
    this.wakeReader = wakeReader;
  }

  /** False when it is full, or closed. */
  public boolean offer(Object thing) {
    long at;
    do {
      at = written.get();
      if (at - read.get() >= limit) {
        return false;
      }
    } while (!written.compareAndSet(at, at + 1));
    slots.lazySet((int) at & mask, thing);
    if ((at & WORTH_SENDING - 1) == WORTH_SENDING - 1) {
      wakeReader.run();
    }
    return true;
  }

  /** The oldest thing, or null; for the one reader. */
  public Object poll() {
    long at = read.get();
    int slot = (int) at & mask;
    Object thing = slots.get(slot);
    if (thing == null) {
      return null; // Nothing there, or its writer is about to put it there.
    }
    slots.lazySet(slot, null);
    read.lazySet(at + 1);
    return thing;
  }

  /** How many things wait, about. */
  public long size() {
    return Math.max(0, written.get() - read.get());
  }

  /** Takes nothing any more; what waits can still be read. */
  public void close() {
    limit = 0;
  }
}
