package io.rollscope.cli.report;

import io.rollscope.core.table.SpanName;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SpanColumns;
import java.util.Map;

/**
 * All that a report carries; the names of the components are those the page reads.
 *
 * @param generatedAtS when it was written
 * @param nowS the moment of {@code live}
 * @param sampled null if every session and span is here
 * @param runInfo the run, as far as it is in scope
 * @param live what was open at the end
 * @param details the slowest, failed and open sessions; others are told from {@code timeline}
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
    SessionsReport sessionsSummary,
    BatchesReport batches,
    ErrorsReport errors,
    OccupancyReport occupancy,
    SpanColumns timeline,
    Map<String, SessionReport> details) {

  /** What the page understands; another number is refused there. */
  static final int VERSION = 1;

  static final int OCCUPANCY_BUCKETS = 400;
  static final int MOST_BATCHES = 1_000;
  static final int MOST_ERRORS = 1_000;

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
      for (int n = 0; n < spans.kind().length; n++) {
        String kind = spans.kinds().get(spans.kind()[n]);
        boolean container = kind.equals("batch") || kind.equals("task") || kind.equals("session");
        String name = spans.names().get(spans.name()[n]);
        boolean inferred = spans.byIds() && name.equals(SpanName.NOT_YET_SEEN.raw());
        work += container || inferred ? 0 : 1;
      }
      return work;
    }
  }
}
