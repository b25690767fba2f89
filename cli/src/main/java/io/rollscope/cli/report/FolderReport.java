package io.rollscope.cli.report;

import io.rollscope.cli.report.ReportData.Sampled;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesView;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.ErrorsView;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.OccupancyView;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionColumnsView;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.core.view.SpanColumns;
import io.rollscope.core.view.SpanColumnsView;
import io.rollscope.core.view.SpanSample;
import io.rollscope.formats.folder.FolderRun;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.TraceFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Gathers a report from a run that was read.
 *
 * @param run the run
 * @param files those it was read from
 * @param scope which part of it
 * @param context what reports say of where their data came from
 * @param nowNs the moment of the live board; {@link Nanos#UNKNOWN} for the last event
 * @param batchSize AReaL's consumer batch size, or null
 * @param budget most spans
 */
public record FolderReport(
    RunData run,
    List<TraceFile> files,
    Scope scope,
    ReportContext context,
    long nowNs,
    Integer batchSize,
    int budget) {

  /** Spans of as many as 1 M events of XTuner. */
  public static final int BUDGET = 600_000;

  private static final int LIVE_ROWS = 5_000;

  /** How many times {@link #gather} looks at all rows. */
  private static final int PASSES = 10;

  /** What {@link #gather} will have told its listener when it is done. */
  public long work() {
    return (long) PASSES * run.table().rows() + run.table().sessionCount();
  }

  /**
   * @param writtenNs now
   * @param progress is told of what is done
   */
  public ReportData gather(long writtenNs, LongConsumer progress) throws IOException {
    SpanTable table = run.table();
    long rows = table.rows();
    long now = nowNs == Nanos.UNKNOWN ? table.newestInstant() : nowNs;
    now = now == Nanos.UNKNOWN ? writtenNs : now;
    LiveReport live = new LiveBoard(table, scope).report(context, now, LIVE_ROWS);
    progress.accept(2 * rows);
    HotspotsReport hotspots = HotspotsView.of(table, scope, Detail.ALL, context);
    progress.accept(rows);
    SessionsView.Input input =
        new SessionsView.Input(table, run.counters(), run.barrierSpans(), batchSize);
    SessionsReport summary = SessionsView.of(input, scope, context);
    progress.accept(rows);
    SessionColumns sessions =
        SessionColumnsView.of(input, scope, SessionColumns.MAX_BUDGET, context);
    progress.accept(rows);
    BatchesReport batches = BatchesView.of(input, scope, ReportData.MOST_BATCHES, context);
    progress.accept(rows);
    ErrorsReport errors = ErrorsView.of(table, scope, ReportData.MOST_ERRORS, context);
    progress.accept(rows);
    FindingsReport findings = FindingsView.of(table, ReportRequest.of(scope).now(now), context);
    progress.accept(rows);
    OccupancyReport occupancy =
        OccupancyView.of(table, scope, ReportData.OCCUPANCY_BUCKETS, context);
    progress.accept(2 * rows);
    BitSet kept = SpanSample.of(sessions, budget);
    SpanColumns spans = SpanColumnsView.of(table, scope, sessions, kept, budget / 4, progress);
    return new ReportData(
        ReportData.VERSION,
        Nanos.toSeconds(writtenNs),
        context.source(),
        context.run(),
        scope.word(),
        Nanos.toSeconds(now),
        Sampled.of(sessions, hotspots, spans),
        runInfo(sessions, hotspots, batches),
        live,
        hotspots,
        sessions,
        ReportData.workers(sessions),
        ReportData.reasonTypes(sessions),
        summary,
        batches,
        errors,
        findings,
        occupancy,
        spans,
        new Details(sessions).ofFolder(table, nowNs, files, context),
        ReportMetrics.of(new FolderRun(run, files, context, writtenNs)));
  }

  private RunSummary runInfo(
      SessionColumns sessions, HotspotsReport hotspots, BatchesReport batches) {
    long open = Arrays.stream(sessions.openCount()).sum();
    return new RunSummary(
        context.run(),
        null,
        system(),
        open > 0 ? "silent" : "finished",
        hotspots.timelineStartS(),
        hotspots.timelineEndS(),
        batches.batches().size() + batches.leftOut(),
        sessions.total(),
        hotspots.spanCount(),
        open);
  }

  /** The framework that writes such files; null for formats of no framework. */
  private String system() {
    for (TraceFile file : files) {
      String format = file.format().id();
      if (!format.equals("otlp")) {
        return format.replaceFirst("-.*", "");
      }
    }
    return null;
  }
}
