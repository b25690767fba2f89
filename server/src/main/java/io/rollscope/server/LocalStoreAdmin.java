package io.rollscope.server;

import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.RunSummary;
import io.rollscope.server.api.StoreAdmin;
import io.rollscope.store.Store;
import io.rollscope.store.StoreHealth;
import io.rollscope.store.StoredRun;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.query.KeptAnswers;
import io.rollscope.store.query.Reports;
import io.rollscope.store.query.SeriesIndex;
import io.rollscope.store.sql.SqlProcesses;
import io.rollscope.store.sql.SqlRefusedException;
import io.rollscope.store.sql.SqlUnavailableException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store of this server. */
final class LocalStoreAdmin implements StoreAdmin {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStoreAdmin.class);

  private final Store store;
  private final LongSupplier clock;
  private final SqlProcesses sql;
  private final Exposition.Rules exposed;
  private final SeriesIndex series = new SeriesIndex();
  private final KeptAnswers kept = new KeptAnswers();
  private volatile String source = "";

  /**
   * @param namespace that exposed names begin with
   * @param clock nanoseconds since the epoch
   */
  LocalStoreAdmin(Store store, SqlProcesses sql, String namespace, LongSupplier clock) {
    this.exposed = Exposition.Rules.of(namespace);
    this.store = store;
    this.clock = clock;
    this.sql = sql;
  }

  /** What reports say they come from. */
  void calledAt(String url) {
    source = url;
  }

  /** Looks at all series once, so that the first who asks for metrics need not wait for it. */
  void warmUp() {
    if (store.numbers().segments() == 0) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                stored().metrics("");
              } catch (SQLException | RuntimeException e) {
                LOG.debug("series are looked at when somebody asks", e);
              }
            },
            "rollscope-series");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Reports stored() {
    return new Reports(store.snapshots(), source, series, kept);
  }

  @Override
  public byte[] sql(String select)
      throws SqlRefusedException, SqlUnavailableException, SQLException {
    return sql.query(select);
  }

  @Override
  public boolean knows(String run) {
    return store.knows(run);
  }

  @Override
  public Optional<RunSummary> knownRun(String run) {
    return store.run(run);
  }

  @Override
  public List<RunSummary> runs(Predicate<String> name, long skipped, long most) {
    return store.runs(name, skipped, most);
  }

  @Override
  public RunReports reports(String run) {
    return new StoredRun(store, stored(), run, source);
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
  public Exposition exposition() {
    return store.exposition(exposed);
  }

  @Override
  public List<RunFigures> figures(int most) {
    return store.figures(most);
  }

  @Override
  public StoreHealth health() {
    return store.health();
  }

  @Override
  public long deleteRun(String run) throws IOException {
    long spans = store.deleteRun(run);
    series.forget(run);
    return spans;
  }
}
