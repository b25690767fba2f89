package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A server's live report, fetched again and again. While the server is away the last report stays,
 * with the reason; when it is back, so is the report.
 */
public final class RemoteLive implements LiveSource {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final Api api;
  private final String wanted;
  private final Scope scope;
  private final int maxRows;
  private RemoteRun run;
  private volatile LiveReport report;
  private volatile String trouble;

  /**
   * @param wanted id of the run, or null for the newest
   * @param maxRows sessions to fetch
   */
  public RemoteLive(Api api, String wanted, Scope scope, int maxRows) {
    this.api = api;
    this.wanted = wanted;
    this.scope = scope;
    this.maxRows = maxRows;
  }

  /**
   * Fetches the first report, or fails. A server that has no run yet is waited for.
   *
   * @param waiting told for how long
   */
  public void open(Consumer<Duration> waiting) throws IOException {
    long started = System.nanoTime();
    Optional<RemoteRun> found = RemoteRun.find(api, wanted);
    while (found.isEmpty()) {
      waiting.accept(Duration.ofNanos(System.nanoTime() - started));
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      found = RemoteRun.find(api, wanted);
    }
    run = found.get();
    fetch();
  }

  /** Fetches the next report; true if it says something else, or nothing any more. */
  @Override
  public boolean poll() throws IOException {
    LiveReport before = report;
    String troubleBefore = trouble;
    try {
      fetch();
      trouble = null;
    } catch (Failure e) {
      trouble = e.getMessage().replaceFirst(" \\(expected:.*", "");
      run = null;
    }
    return !Objects.equals(trouble, troubleBefore) || before == null || isNews(before, report);
  }

  private void fetch() throws IOException {
    if (run == null) {
      run = RemoteRun.choose(api, wanted);
    }
    report = run.live(ReportRequest.of(scope).limit(maxRows));
  }

  /** Ages grow all the time; that alone is no news. */
  private static boolean isNews(LiveReport before, LiveReport now) {
    return before.rawEventCount() != now.rawEventCount()
        || !before.run().equals(now.run())
        || !before.sessionSummary().equals(now.sessionSummary())
        || !before.taskSummary().equals(now.taskSummary());
  }

  @Override
  public LiveReport report(int maxRows) {
    return report;
  }

  @Override
  public String trouble() {
    return trouble;
  }
}
