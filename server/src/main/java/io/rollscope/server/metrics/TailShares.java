package io.rollscope.server.metrics;

import io.rollscope.core.view.BatchesReport;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * What share of a batch was its tail. That takes a query: it is asked once per batch, elsewhere, so
 * that nobody who scrapes waits for it.
 */
public final class TailShares {
  private static final int BATCHES = 50;
  private static final int MOST_RUNS = 100;

  /** Asks for the batches of a run. */
  @FunctionalInterface
  public interface Batches {
    BatchesReport of(String run, int limit) throws SQLException;
  }

  private record Known(String batch, Double share) {}

  private final Batches batches;
  private final Executor workers;
  private final Map<String, Known> known = new LinkedHashMap<>();
  private boolean asking;

  /**
   * @param workers where it is asked; may refuse
   */
  public TailShares(Batches batches, Executor workers) {
    this.batches = batches;
    this.workers = workers;
  }

  /** That of the batch before as long as this one's is not known; null if none is. */
  synchronized Double of(String run, String batch) {
    Known one = known.get(run);
    if (one != null && one.batch().equals(batch)) {
      return one.share();
    }
    if (!asking) {
      asking = true;
      try {
        workers.execute(() -> learn(run, batch));
      } catch (RejectedExecutionException e) {
        asking = false; // Somebody else will scrape later.
      }
    }
    return one == null ? null : one.share();
  }

  private void learn(String run, String batch) {
    Double share = ask(run, batch);
    synchronized (this) {
      asking = false;
      known.put(run, new Known(batch, share));
      if (known.size() > MOST_RUNS) {
        known.remove(known.keySet().iterator().next());
      }
    }
  }

  private Double ask(String run, String batch) {
    try {
      return batches.of(run, BATCHES).batches().stream()
          .filter(b -> b.batch().equals(batch) && b.wallS() > 0)
          .findFirst()
          .map(b -> b.tailS() / b.wallS())
          .orElse(null);
    } catch (SQLException | RuntimeException e) {
      return null;
    }
  }
}
