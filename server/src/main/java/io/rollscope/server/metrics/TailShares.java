package io.rollscope.server.metrics;

import io.rollscope.core.view.BatchesReport;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What share of a batch was its tail. That takes a query: it is asked once per batch, and of few
 * runs at a time, so that nobody who scrapes waits for long.
 */
public final class TailShares {
  private static final int AT_ONCE = 2;
  private static final int BATCHES = 50;
  private static final int MOST_RUNS = 100;

  /** Asks for the batches of a run. */
  @FunctionalInterface
  public interface Batches {
    BatchesReport of(String run, int limit) throws SQLException;
  }

  private record Known(String batch, Double share) {}

  private final Batches batches;
  private final Map<String, Known> known = new LinkedHashMap<>();
  private long second;
  private int asked;

  public TailShares(Batches batches) {
    this.batches = batches;
  }

  /** Null if it is not known, or not yet. */
  synchronized Double of(String run, String batch) {
    Known one = known.get(run);
    if (one != null && one.batch().equals(batch)) {
      return one.share();
    }
    long now = System.nanoTime() / 1_000_000_000L;
    asked = now == second ? asked : 0;
    second = now;
    if (asked++ >= AT_ONCE) {
      return null;
    }
    Double share = ask(run, batch);
    known.put(run, new Known(batch, share));
    if (known.size() > MOST_RUNS) {
      known.remove(known.keySet().iterator().next());
    }
    return share;
  }

  private Double ask(String run, String batch) {
    try {
      return batches.of(run, BATCHES).batches().stream()
          .filter(b -> b.batch().equals(batch) && b.wallS() > 0)
          .findFirst()
          .map(b -> b.tailS() / b.wallS())
          .orElse(null);
    } catch (SQLException e) {
      return null;
    }
  }
}
