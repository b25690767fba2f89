package io.rollscope.core.report;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
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
import java.io.IOException;
import java.util.Optional;

/**
 * What can be asked of one run. The same question has the same answer wherever the data is: in a
 * folder, in the store of a server, or behind its API. Every answer is bounded. A wrong argument is
 * an {@link IllegalArgumentException} that says what was expected; what takes too long ends with a
 * {@link SlowReportException}.
 */
public interface RunReports {
  /** The run in one line. */
  RunSummary summary() throws IOException;

  /** What is going on, overdue work first. */
  LiveReport live(ReportRequest request) throws IOException;

  /** Where the time went. */
  HotspotsReport hotspots(ReportRequest request) throws IOException;

  /** How the sessions fared. */
  SessionsReport sessions(ReportRequest request) throws IOException;

  /** A page of the sessions. */
  SessionListReport sessionList(ReportRequest request) throws IOException;

  /** The sessions by column, in order of start; beyond the limit a fair sample. */
  SessionColumns sessionColumns(ReportRequest request) throws IOException;

  /** All about one session; empty if the run has none of that id. */
  Optional<SessionReport> session(String id, ReportRequest request) throws IOException;

  /** What went wrong, by cause, most frequent first. */
  ErrorsReport errors(ReportRequest request) throws IOException;

  /** What is wrong, causes before symptoms, the most important first. */
  FindingsReport findings(ReportRequest request) throws IOException;

  /** How many sessions were where, over time; the limit is the number of buckets. */
  OccupancyReport occupancy(ReportRequest request) throws IOException;

  /** How the batches went, newest first. */
  BatchesReport batches(ReportRequest request) throws IOException;

  /** The longest spans of a window. */
  TimelineReport timeline(ReportRequest request) throws IOException;

  /** What the run measures. */
  MetricsReport metrics() throws IOException;

  /** Lines of some metrics. */
  ChartReport chart(ChartQuestion question) throws IOException;

  /**
   * What charts mark: batches and weight syncs.
   *
   * @param fromNs null for the beginning; likewise the other
   */
  AnnotationsReport annotations(Long fromNs, Long toNs) throws IOException;
}
