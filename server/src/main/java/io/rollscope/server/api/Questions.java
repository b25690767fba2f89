package io.rollscope.server.api;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.store.LiveQuery;
import io.rollscope.store.StoreHealth;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.metric.Problems;
import io.rollscope.store.query.Reports;
import io.rollscope.store.sql.SqlRefusedException;
import io.rollscope.store.sql.SqlUnavailableException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the API asks the store. */
public interface Questions {
  /** A run, if it is known. */
  Optional<RunSummary> knownRun(String run);

  /**
   * Runs, newest activity first.
   *
   * @param name only those whose name this accepts
   * @param skipped so many of them are left out first
   */
  List<RunSummary> runs(Predicate<String> name, long skipped, long most);

  LiveReport live(LiveQuery query);

  /** Changes whenever a live board may have changed. */
  long version();

  /** Nanoseconds since the epoch. */
  long nowNs();

  /** Up to when open work of a run counts. */
  long nowNs(String run);

  /** What is asked of stored data. */
  Reports reports();

  /** Runs a user's SQL, in its cage. */
  byte[] sql(String select) throws SqlRefusedException, SqlUnavailableException, SQLException;

  /** What is wrong with the metrics of a run. */
  List<Problems.Line> metricProblems(String run);

  /** Client metrics for others to scrape. */
  Exposition exposition();

  /** The newest runs in numbers. */
  List<RunFigures> figures(int most);

  StoreHealth health();

  /** Deletes all data of a run. Returns how many spans went. */
  long deleteRun(String run) throws IOException;
}
