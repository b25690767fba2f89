package io.rollscope.server;

import io.rollscope.store.RunSummary;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The run whose spans were heard from last, if that was lately: what is scraped and names no run is
 * most likely of it. Asked often, it looks once a second.
 */
final class RecentRun implements Supplier<String> {
  private static final long LATELY_S = 600;
  private static final long SECOND_NS = 1_000_000_000L;

  private final Supplier<List<RunSummary>> runs;
  private final LongSupplier clock;
  private long lookedNs = Long.MIN_VALUE;
  private String found;

  RecentRun(Supplier<List<RunSummary>> runs, LongSupplier clock) {
    this.runs = runs;
    this.clock = clock;
  }

  @Override
  public synchronized String get() {
    long now = clock.getAsLong();
    if (lookedNs == Long.MIN_VALUE || Math.abs(now - lookedNs) >= SECOND_NS) {
      lookedNs = now;
      // A run without a span may be one that scraping made: it says nothing of others.
      found =
          runs.get().stream()
              .filter(r -> r.spans() > 0 && now / 1e9 - r.lastS() < LATELY_S)
              .findFirst()
              .map(RunSummary::run)
              .orElse(null);
    }
    return found;
  }
}
