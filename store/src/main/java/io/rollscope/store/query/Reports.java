package io.rollscope.store.query;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.Chart;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricList;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.TimelineReport;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the API answers from stored data. Where a folder report of the same name exists, the object
 * is the same. A run that is not known gives empty reports. Every report is bounded, and ends with
 * {@link java.sql.SQLTimeoutException} after {@value #LIMIT_SECONDS} s; a wrong argument is an
 * {@link IllegalArgumentException} that says what was expected. Thread-safe.
 */
public final class Reports {
  private static final int LIMIT_SECONDS = 30;

  private final Snapshots snapshots;
  private final String source;
  private final SeriesIndex series;
  private final KeptAnswers kept;

  /**
   * @param source what reports say they come from
   */
  public Reports(Snapshots snapshots, String source) {
    this(snapshots, source, new SeriesIndex(), new KeptAnswers());
  }

  /**
   * @param series what is known of series of metrics; to be used again
   * @param kept answers to be used again
   */
  public Reports(Snapshots snapshots, String source, SeriesIndex series, KeptAnswers kept) {
    this.kept = kept;
    this.snapshots = snapshots;
    this.source = source;
    this.series = series;
  }

  /** The same question as of the last event in its scope, or this beat if that is newer. */
  public Question asOfScope(Question question, long lastBeatNs) throws SQLException {
    try (Query query = query()) {
      Selection selection = Selection.of(query, question);
      Long last =
          query.first(
              Sql.of("SELECT max(greatest(start_ns, end_ns)) FROM (")
                  .plus(selection.spans("start_ns, end_ns", "clock = 'utc'"))
                  .plus(")"),
              row -> Cells.longOrNull(row, 1));
      return last == null ? question : question.at(Math.max(last, lastBeatNs));
    }
  }

  /** Where the time went, without what takes longer. */
  public HotspotsReport hotspots(Question question) throws SQLException {
    return hotspots(question, Detail.NONE);
  }

  /** Where the time went. */
  public HotspotsReport hotspots(Question question, Detail detail) throws SQLException {
    try (Query query = query(question)) {
      return kept.get(
          "hotspots",
          question,
          detail,
          query.version(question.run()),
          HotspotsReport.class,
          report -> report.stageStats().stream().anyMatch(s -> s.openCount() > 0),
          () -> Hotspots.of(query, question, detail, context(question.run())));
    }
  }

  /**
   * How the sessions fared.
   *
   * @param batchSize AReaL's consumer batch size, or null to tell steps by what sessions name
   */
  public SessionsReport sessions(Question question, Integer batchSize) throws SQLException {
    try (Query query = query(question)) {
      return kept.get(
          "sessions",
          question,
          batchSize,
          query.version(question.run()),
          SessionsReport.class,
          report -> report.nullEndSpans() > 0,
          () -> SessionsSummary.of(query, question, batchSize, context(question.run())));
    }
  }

  /** All about one session; its {@code events} are null, for the store keeps no source lines. */
  public Optional<SessionReport> session(String run, String session, long nowNs)
      throws SQLException {
    try (Query query = query(run, nowNs)) {
      return SessionById.of(query, run, session, nowNs, context(run));
    }
  }

  /** One session as a table, as folders are read into. */
  public Optional<SpanTable> sessionTable(String run, String session) throws SQLException {
    try (Query query = query()) {
      return SessionById.table(query, run, session);
    }
  }

  /** Errors grouped by cause; with a filter's stage only those of that stage. */
  public ErrorsReport errors(Question question, int limit) throws SQLException {
    try (Query query = query(question)) {
      return Errors.of(query, question, limit, source);
    }
  }

  /**
   * What is wrong.
   *
   * @param processes what the processes of the run said last
   */
  public FindingsReport findings(Question question, List<ProcessSign> processes)
      throws SQLException {
    try (Query query = query(question)) {
      Object version = query.version(question.run());
      return kept.get(
          "findings",
          question,
          null,
          version == null ? null : List.of(version, processes),
          FindingsReport.class,
          report -> true, // Whatever is open, it says up to when that counts.
          () -> Findings.of(query, question, processes, context(question.run())));
    }
  }

  /** Spans that overlap a window. */
  public TimelineReport timeline(Question question, Timeline.Window window) throws SQLException {
    try (Query query = query(question)) {
      return Timeline.of(query, question, window, source);
    }
  }

  /**
   * How many sessions were in each stage or wait over time.
   *
   * @param fromNs null for the first start in scope
   * @param toNs null for the last end in scope
   * @param buckets from 1 to 2,000
   */
  public OccupancyReport occupancy(Question question, Long fromNs, Long toNs, int buckets)
      throws SQLException {
    try (Query query = query(question)) {
      return Occupancy.of(query, question, fromNs, toNs, buckets, source);
    }
  }

  /**
   * How the batches went, newest first; at most 1,000.
   *
   * @param batchSize AReaL's consumer batch size, by which steps are told; or null
   */
  public BatchesReport batches(Question question, Integer batchSize, int limit)
      throws SQLException {
    try (Query query = query(question)) {
      return kept.get(
          "batches",
          question,
          Arrays.asList(batchSize, limit),
          query.version(question.run()),
          BatchesReport.class,
          report -> report.batches().stream().anyMatch(b -> b.statuses().containsKey("running")),
          () -> BatchStory.of(query, question, batchSize, limit, source));
    }
  }

  /**
   * A page of sessions.
   *
   * @param sort {@code start}, {@code end}, {@code wall}, {@code session} or {@code status}, with
   *     {@code -} in front for the greatest first
   * @param limit most rows, from 1 to 1,000
   * @param cursor of the page before, or null for the first
   */
  public SessionListReport sessionList(Question question, String sort, int limit, String cursor)
      throws SQLException {
    try (Query query = query(question)) {
      return SessionList.of(query, question, sort, limit, cursor, source);
    }
  }

  /**
   * Sessions by column, in order of start.
   *
   * @param budget most sessions, from 1 to {@link SessionColumns#MAX_BUDGET}; beyond it the
   *     slowest, failed and unfinished ones and an even sample of the rest
   */
  public SessionColumns sessionColumns(Question question, int budget) throws SQLException {
    try (Query query = query(question)) {
      return SessionsByColumn.of(query, question, budget, source);
    }
  }

  /** All spans of a trace, across runs. */
  public TraceReport trace(String traceId) throws SQLException {
    try (Query query = query()) {
      return Trace.of(query, traceId);
    }
  }

  /** Which metrics a run has. */
  public MetricsReport metrics(String run) throws SQLException {
    try (Query query = query()) {
      SeriesIndex.Series known = series.of(query, run);
      return MetricList.of(known.byName(), known.points(), run, source);
    }
  }

  /** Lines of metrics. */
  public ChartReport chart(String run, ChartQuestion question) throws SQLException {
    try (Query query = query()) {
      StoredPoints points = new StoredPoints(query, run);
      return Chart.of(points, series.of(query, run).byName(), question, source, run);
    }
  }

  /**
   * Batches and weight syncs.
   *
   * @param fromNs null for all; likewise the other
   */
  public AnnotationsReport annotations(String run, Long fromNs, Long toNs) throws SQLException {
    try (Query query = query()) {
      return Annotations.of(query, run, fromNs, toNs, source);
    }
  }

  private Query query(Question question) throws SQLException {
    return query(question.run(), question.nowNs());
  }

  private Query query(String run, long nowNs) throws SQLException {
    return new Query(snapshots.take(run, nowNs), LIMIT_SECONDS, snapshots::failed);
  }

  private Query query() throws SQLException {
    return new Query(snapshots.take(), LIMIT_SECONDS, snapshots::failed);
  }

  private ReportContext context(String run) {
    return new ReportContext(source, run, new SkippedLines(0, List.of()));
  }
}
