package io.rollscope.server;

import io.rollscope.core.view.LiveReport;
import io.rollscope.server.api.Questions;
import io.rollscope.store.LiveQuery;
import io.rollscope.store.RunSummary;
import io.rollscope.store.Store;
import io.rollscope.store.StoreHealth;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

/** Answers the API's questions from the store. */
final class StoredQuestions implements Questions {
  private final Store store;
  private final LongSupplier clock;

  StoredQuestions(Store store, LongSupplier clock) {
    this.store = store;
    this.clock = clock;
  }

  @Override
  public List<RunSummary> runs() {
    return store.runs();
  }

  @Override
  public LiveReport live(LiveQuery query) {
    return store.live(query);
  }

  @Override
  public long version() {
    return store.version();
  }

  @Override
  public long nowNs() {
    return clock.getAsLong();
  }

  @Override
  public StoreHealth health() {
    return store.health();
  }

  @Override
  public long deleteRun(String run) throws IOException {
    return store.deleteRun(run);
  }
}
