package io.rollscope.store;

import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.journal.JournalOptions;
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
 * @param journalFileBytes a journal file that has reached this size is followed by a new one
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
    long journalFileBytes,
    long maxHotBytes) {

  /** Journal files and memory of the usual size. */
  public StoreOptions(
      Path data,
      Disk disk,
      LongSupplier clock,
      Duration retention,
      int maxOpenSpans,
      int sealRows,
      Duration sealAfter) {
    this(
        data,
        disk,
        clock,
        retention,
        maxOpenSpans,
        sealRows,
        sealAfter,
        JournalOptions.defaults().fileBytes(),
        maxHotBytesByDefault());
  }

  private static long maxHotBytesByDefault() {
    return Runtime.getRuntime().maxMemory() * 2 / 5;
  }

  /** Tests of the whole process make segments and files small by system properties. */
  public static StoreOptions defaults(Path data) {
    return new StoreOptions(
        data,
        new RealDisk(),
        StoreOptions::systemNanos,
        null,
        Integer.getInteger("rollscope.open.spans", 1_000_000),
        Integer.getInteger("rollscope.seal.rows", 300_000),
        Duration.ofMillis(Long.getLong("rollscope.seal.millis", 30_000)),
        Long.getLong("rollscope.journal.bytes", JournalOptions.defaults().fileBytes()),
        maxHotBytesByDefault());
  }

  private static long systemNanos() {
    java.time.Instant now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
