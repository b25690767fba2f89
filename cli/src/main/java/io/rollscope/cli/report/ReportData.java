package io.rollscope.cli.report;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.model.Worker;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.core.view.SpanColumns;
import java.util.List;
import java.util.Map;

/**
 * All that a report carries; the names of the components are those the page reads.
 *
 * @param generatedAtS when it was written
 * @param nowS the moment of {@code live}
 * @param sampled null if every session and span is here
 * @param runInfo the run, as far as it is in scope
 * @param live what was open at the end
 * @param workers what the workers of {@code sessions} are
 * @param reasonTypes what its reasons are counted by
 * @param findings as of {@code nowS}
 * @param details the slowest, failed and open sessions; others are told from {@code timeline}
 * @param metrics null if the run has none
 */
public record ReportData(
    int version,
    double generatedAtS,
    String source,
    String run,
    String scope,
    double nowS,
    Sampled sampled,
    RunSummary runInfo,
    LiveReport live,
    HotspotsReport hotspots,
    SessionColumns sessions,
    List<Worker> workers,
    List<String> reasonTypes,
    SessionsReport sessionsSummary,
    BatchesReport batches,
    ErrorsReport errors,
    FindingsReport findings,
    OccupancyReport occupancy,
    SpanColumns timeline,
    Map<String, SessionReport> details,
    ReportMetrics metrics) {

  /** What the page understands; another number is refused there. */
  static final int VERSION = 2;

  static final int OCCUPANCY_BUCKETS = 400;
  static final int MOST_BATCHES = 1_000;
  static final int MOST_ERRORS = 1_000;

  static List<Worker> workers(SessionColumns sessions) {
    return sessions.workers().stream().map(Worker::ofLabel).toList();
  }

  static List<String> reasonTypes(SessionColumns sessions) {
    return sessions.reasons().stream().map(SessionsView::typeOf).toList();
  }

  /** How many of all sessions and spans are here. Statistics are about all of them. */
  public record Sampled(long sessionsTotal, long sessionsKept, long spansTotal, long spansKept) {

    /** Null if nothing is left out. */
    static Sampled of(SessionColumns sessions, HotspotsReport hotspots, SpanColumns kept) {
      Sampled sampled =
          new Sampled(
              sessions.total(), kept.laneSession().length, hotspots.spanCount(), work(kept));
      boolean whole =
          sampled.sessionsKept == sampled.sessionsTotal && sampled.spansKept >= sampled.spansTotal;
      return whole ? null : sampled;
    }

    /** Hotspots count work only: no containers, nothing that is only inferred. */
    private static long work(SpanColumns spans) {
      long work = 0;
      for (int kind : spans.kind()) {
        work += spans.kindWorks().get(kind) ? 1 : 0;
      }
      return work;
    }
  }
}
