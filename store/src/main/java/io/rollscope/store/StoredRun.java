package io.rollscope.store;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.report.SlowReportException;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.store.query.Question;
import io.rollscope.store.query.Reports;
import io.rollscope.store.query.Timeline;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Optional;
import java.util.OptionalLong;

/** A run of a server: its live board from memory, all else from stored data. */
public final class StoredRun implements RunReports {
  private static final int USUAL_ROWS = 100;
  private static final int USUAL_BUCKETS = 200;

  private final Store store;
  private final Reports reports;
  private final String run;
  private final String source;

  /**
   * @param source what reports say they come from
   */
  public StoredRun(Store store, Reports reports, String run, String source) {
    this.store = store;
    this.reports = reports;
    this.run = run;
    this.source = source;
  }

  /** Something that takes a query. */
  private interface Asked<T> {
    T answer() throws SQLException;
  }

  private static <T> T ask(Asked<T> asked) throws IOException {
    try {
      return asked.answer();
    } catch (SQLTimeoutException e) {
      throw new SlowReportException(e);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private Question question(ReportRequest request) {
    return new Question(run, request.scope(), request.filter(), nowNs(request));
  }

  private long nowNs(ReportRequest request) {
    return request.nowNs() == Nanos.UNKNOWN ? store.nowOf(run) : request.nowNs();
  }

  @Override
  public RunSummary summary() throws IOException {
    return store.run(run).orElseThrow(() -> new FileNotFoundException("run: " + run));
  }

  @Override
  public LiveReport live(ReportRequest request) {
    return store.live(run, request).from(source);
  }

  @Override
  public HotspotsReport hotspots(ReportRequest request) throws IOException {
    OptionalLong beat =
        request.nowNs() == Nanos.UNKNOWN && request.scope().goesByEvents()
            ? store.lastBeatIfLeftOpen(run)
            : OptionalLong.empty();
    return ask(
        () -> {
          Question asked = question(request);
          return reports.hotspots(
              beat.isPresent() ? reports.asOfScope(asked, beat.getAsLong()) : asked,
              request.detail());
        });
  }

  @Override
  public SessionsReport sessions(ReportRequest request) throws IOException {
    return ask(() -> reports.sessions(question(request), request.batchSize()));
  }

  @Override
  public SessionListReport sessionList(ReportRequest request) throws IOException {
    String sort = request.sort() == null ? "start" : request.sort();
    return ask(
        () ->
            reports.sessionList(
                question(request), sort, request.limitOr(USUAL_ROWS), request.cursor()));
  }

  @Override
  public SessionColumns sessionColumns(ReportRequest request) throws IOException {
    int budget = request.limitOr(SessionColumns.DEFAULT_BUDGET);
    return ask(() -> reports.sessionColumns(question(request), budget));
  }

  @Override
  public Optional<SessionReport> session(String id, ReportRequest request) throws IOException {
    return ask(() -> reports.session(run, id, nowNs(request)));
  }

  @Override
  public ErrorsReport errors(ReportRequest request) throws IOException {
    return ask(() -> reports.errors(question(request), request.limitOr(USUAL_ROWS)));
  }

  @Override
  public FindingsReport findings(ReportRequest request) throws IOException {
    return ask(() -> reports.findings(question(request), store.processes(run)));
  }

  @Override
  public OccupancyReport occupancy(ReportRequest request) throws IOException {
    int buckets = request.limitOr(USUAL_BUCKETS);
    return ask(
        () -> reports.occupancy(question(request), request.fromNs(), request.toNs(), buckets));
  }

  @Override
  public BatchesReport batches(ReportRequest request) throws IOException {
    return ask(
        () -> reports.batches(question(request), request.batchSize(), request.limitOr(USUAL_ROWS)));
  }

  @Override
  public TimelineReport timeline(ReportRequest request) throws IOException {
    int budget = request.limitOr(TimelineReport.DEFAULT_BUDGET);
    Timeline.Window window =
        new Timeline.Window(request.fromNs(), request.toNs(), request.by(), budget);
    return ask(() -> reports.timeline(question(request), window));
  }

  @Override
  public MetricsReport metrics() throws IOException {
    return ask(() -> reports.metrics(run)).with(store.metricProblems(run));
  }

  @Override
  public ChartReport chart(ChartQuestion question) throws IOException {
    return ask(() -> reports.chart(run, question));
  }

  @Override
  public AnnotationsReport annotations(Long fromNs, Long toNs) throws IOException {
    return ask(() -> reports.annotations(run, fromNs, toNs));
  }
}
