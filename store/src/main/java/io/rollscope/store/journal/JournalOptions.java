package io.rollscope.store.journal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Limits of a journal, and its clocks.
 *
 * @param fileBytes a file that has reached this size is followed by a new one
 * @param maxFrameBytes the largest frame, head included
 * @param maxInFlightBytes of frames accepted and not yet durable: what the journal may hold in
 *     memory
 * @param maxInFlightFrames likewise, in frames
 * @param retryAfter the delay suggested to a sender that is turned away
 * @param clock tells since when the journal fails
 * @param nanoTime measures the duration of a force
 */
public record JournalOptions(
    long fileBytes,
    int maxFrameBytes,
    long maxInFlightBytes,
    int maxInFlightFrames,
    Duration retryAfter,
    InstantSource clock,
    LongSupplier nanoTime) {
  private static final int MIB = 1 << 20;

  public JournalOptions {
    atLeast("file size", fileBytes, 1);
    atLeast("largest frame", maxFrameBytes, 64);
    atLeast("bytes in flight", maxInFlightBytes, maxFrameBytes);
    atLeast("frames in flight", maxInFlightFrames, 1);
  }

  /**
   * Files of 64 MiB; frames that hold a request of the 64 MiB that receivers admit; two of those.
   */
  public static JournalOptions defaults() {
    return new JournalOptions(
        64L * MIB,
        65 * MIB,
        130L * MIB,
        10_000,
        Duration.ofSeconds(1),
        InstantSource.system(),
        System::nanoTime);
  }

  public JournalOptions withFileBytes(long bytes) {
    return new JournalOptions(
        bytes, maxFrameBytes, maxInFlightBytes, maxInFlightFrames, retryAfter, clock, nanoTime);
  }

  public JournalOptions withMaxFrameBytes(int bytes) {
    return new JournalOptions(
        fileBytes, bytes, maxInFlightBytes, maxInFlightFrames, retryAfter, clock, nanoTime);
  }

  public JournalOptions withMaxInFlight(long bytes, int frames) {
    return new JournalOptions(fileBytes, maxFrameBytes, bytes, frames, retryAfter, clock, nanoTime);
  }

  public JournalOptions withClock(InstantSource newClock) {
    return new JournalOptions(
        fileBytes,
        maxFrameBytes,
        maxInFlightBytes,
        maxInFlightFrames,
        retryAfter,
        newClock,
        nanoTime);
  }

  private static void atLeast(String what, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(what + ": " + value + " (expected: >= " + least + ")");
    }
  }
}
