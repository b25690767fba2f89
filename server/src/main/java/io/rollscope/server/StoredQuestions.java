package io.rollscope.server;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.server.api.Questions;
import io.rollscope.store.LiveQuery;
import io.rollscope.store.Store;
import io.rollscope.store.StoreHealth;
import io.rollscope.store.query.CagedConnections;
import io.rollscope.store.query.Reports;
import io.rollscope.store.query.SqlConsole;
import io.rollscope.store.query.SqlRefusedException;
import io.rollscope.store.query.SqlResult;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;

/** Answers the API's questions from the store. */
final class StoredQuestions implements Questions {
  private final Store store;
  private final LongSupplier clock;
  private final SqlConsole console;
  private volatile String source = "";

  /**
   * @param clock nanoseconds since the epoch
   */
  StoredQuestions(Store store, CagedConnections cages, LongSupplier clock) {
    this.store = store;
    this.clock = clock;
    this.console = new SqlConsole(cages);
  }

  /** What reports say they come from. */
  void calledAt(String url) {
    source = url;
  }

  @Override
  public Reports reports() {
    return new Reports(store.snapshots(), source);
  }

  @Override
  public SqlResult sql(String select) throws SqlRefusedException, SQLException {
    return console.query(select);
  }

  @Override
  public List<RunSummary> runs() {
    return store.runs();
  }

  @Override
  public LiveReport live(LiveQuery query) {
    return store.live(query).from(source);
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
  public long nowNs(String run) {
    return store.nowOf(run);
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
