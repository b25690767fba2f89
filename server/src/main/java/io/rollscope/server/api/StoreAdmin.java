package io.rollscope.server.api;

import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.RunSummary;
import io.rollscope.store.StoreHealth;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.query.Reports;
import io.rollscope.store.sql.SqlRefusedException;
import io.rollscope.store.sql.SqlUnavailableException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the API asks the store that is no report of a run. */
public interface StoreAdmin {
  /** A run, if it is known. */
  Optional<RunSummary> knownRun(String run);

  /** Whether there is such a run: less work than to tell of it. */
  default boolean knows(String run) {
    return knownRun(run).isPresent();
  }

  /**
   * Runs, newest activity first.
   *
   * @param name only those whose name this accepts
   * @param skipped so many of them are left out first
   */
  List<RunSummary> runs(Predicate<String> name, long skipped, long most);

  /** What can be asked of a run; of one that is not known the answers are empty. */
  RunReports reports(String run);

  /** Changes whenever a live board may have changed. */
  long version();

  /** Nanoseconds since the epoch. */
  long nowNs();

  /** Up to when open work of a run counts. */
  long nowNs(String run);

  /** What is stored beside runs: traces and metrics. */
  Reports stored();

  /** Runs a user's SQL, in its cage. */
  byte[] sql(String select) throws SqlRefusedException, SqlUnavailableException, SQLException;

  /** Client metrics for others to scrape. */
  Exposition exposition();

  /** The newest runs in numbers. */
  List<RunFigures> figures(int most);

  StoreHealth health();

  /** Deletes all data of a run. Returns how many spans went. */
  long deleteRun(String run) throws IOException;
}
