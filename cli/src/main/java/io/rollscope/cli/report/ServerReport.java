package io.rollscope.cli.report;

import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.report.ReportData.Sampled;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SpanColumns;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.core.view.TimelineReport.By;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Gathers a report from what a server tells of a run.
 *
 * @param scope which part of it
 * @param nowNs until when open work counts; {@link Nanos#UNKNOWN} for what follows from the data
 * @param batchSize AReaL's consumer batch size, or null
 */
public record ServerReport(RemoteRun run, Scope scope, long nowNs, Integer batchSize) {
  private static final int LIVE_ROWS = 5_000;

  /** How many questions {@link #gather} asks, at most. */
  public static final int WORK = 10 + Details.MOST;

  /**
   * @param writtenNs now
   * @param progress is told of each question that is answered
   */
  public ReportData gather(long writtenNs, LongConsumer progress) throws IOException {
    ReportRequest request = ReportRequest.of(scope).now(nowNs);
    ReportRequest longest = request.limit(TimelineReport.MAX_BUDGET);
    LiveReport live = run.live(request.limit(LIVE_ROWS));
    progress.accept(1);
    HotspotsReport hotspots = run.hotspots(request.detail(Detail.ALL));
    progress.accept(1);
    SessionColumns sessions = run.sessionColumns(request.limit(SessionColumns.MAX_BUDGET));
    progress.accept(1);
    SpanColumns spans =
        ServerSpans.of(
            sessions, run.timeline(longest.by(By.SESSION)), run.timeline(longest.by(By.LANE)));
    progress.accept(2);
    Details details = new Details(sessions);
    ReportData data =
        new ReportData(
            ReportData.VERSION,
            Nanos.toSeconds(writtenNs),
            hotspots.source(),
            run.id(),
            scope.word(),
            live.generatedAtS(),
            Sampled.of(sessions, hotspots, spans),
            run.summary(),
            live,
            hotspots,
            sessions,
            ReportData.workers(sessions),
            ReportData.reasonTypes(sessions),
            run.sessions(request.batchSize(batchSize)),
            batches(sessions),
            run.errors(request.limit(ReportData.MOST_ERRORS)),
            run.findings(request),
            run.occupancy(request.limit(ReportData.OCCUPANCY_BUCKETS)),
            spans,
            details.gather(
                id -> {
                  progress.accept(1);
                  return run.session(id, request).orElseThrow();
                }),
            ReportMetrics.of(run));
    progress.accept(WORK);
    return data;
  }

  /** Only those with sessions in scope. */
  private BatchesReport batches(SessionColumns sessions) throws IOException {
    BatchesReport all =
        run.batches(ReportRequest.of(scope).now(nowNs).limit(ReportData.MOST_BATCHES));
    Set<String> known = new HashSet<>(sessions.batches());
    List<BatchesReport.Batch> inScope =
        all.batches().stream().filter(b -> known.contains(b.batch())).toList();
    return new BatchesReport(
        all.source(), all.run(), inScope, scope.kind() == Scope.Kind.ALL ? all.leftOut() : 0);
  }
}
