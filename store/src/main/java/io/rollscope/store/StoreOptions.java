package io.rollscope.store;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How a store is set up.
 *
 * @param data the folder that belongs to it alone
 * @param clock nanoseconds since the epoch
 * @param retention age beyond which data goes, or null to keep everything
 * @param maxOpenSpans how many spans may be open; further ones are refused and counted
 * @param sealRows closed spans kept in memory before they are written as a segment
 * @param sealAfter how long a closed span stays in memory at most
 * @param maxHotBytes what spans in memory may take; beyond it senders are told to come back
 */
public record StoreOptions(
    Path data,
    Disk disk,
    LongSupplier clock,
    Duration retention,
    int maxOpenSpans,
    int sealRows,
    Duration sealAfter,
    long maxHotBytes) {

  public static StoreOptions defaults(Path data) {
    return new StoreOptions(
        data,
        new RealDisk(),
        StoreOptions::systemNanos,
        null,
        1_000_000,
        300_000,
        Duration.ofSeconds(30),
        Runtime.getRuntime().maxMemory() * 2 / 5);
  }

  private static long systemNanos() {
    java.time.Instant now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
