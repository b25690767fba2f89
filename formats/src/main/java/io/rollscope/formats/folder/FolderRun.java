package io.rollscope.formats.folder;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.AnnotationsView;
import io.rollscope.core.view.AsOf;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.BatchesView;
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
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionListView;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.core.view.TimelineView;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run that was read from files. */
public final class FolderRun implements RunReports {
  private static final int USUAL_ROWS = 100;
  private static final int USUAL_BUCKETS = 200;

  private final RunData run;
  private final List<TraceFile> files;
  private final ReportContext context;
  private final long clockNs;

  /**
   * @param files those it was read from
   * @param context what reports say of where their data came from
   * @param clockNs now
   */
  public FolderRun(RunData run, List<TraceFile> files, ReportContext context, long clockNs) {
    this.run = run;
    this.files = files;
    this.context = context;
    this.clockNs = clockNs;
  }

  /** Until when open work counts: now, as long as the run goes on. */
  private ReportRequest asOf(ReportRequest request) {
    boolean asked = request.nowNs() != Nanos.UNKNOWN;
    return asked ? request : request.now(AsOf.of(run.table().newestEvent(), clockNs));
  }

  @Override
  public RunSummary summary() throws IOException {
    ReportRequest all = ReportRequest.of(Scope.ALL);
    SessionColumns sessions = sessionColumns(all.limit(SessionColumns.MAX_BUDGET));
    HotspotsReport hotspots = hotspots(all);
    BatchesReport batches = batches(all.limit(1));
    long open = Arrays.stream(sessions.openCount()).sum();
    return new RunSummary(
        context.run(),
        null,
        Formats.systemOf(files),
        RunSummary.state(run.table().newestEvent(), clockNs, open),
        hotspots.timelineStartS(),
        hotspots.timelineEndS(),
        batches.batches().size() + batches.leftOut(),
        sessions.total(),
        hotspots.spanCount(),
        open);
  }

  @Override
  public LiveReport live(ReportRequest request) {
    return new LiveBoard(run.table(), request.scope())
        .report(
            context,
            request,
            clockNs,
            request.cursor() == null ? 0 : Integer.parseInt(request.cursor()),
            request.limitOr(USUAL_ROWS));
  }

  @Override
  public HotspotsReport hotspots(ReportRequest request) {
    return HotspotsView.of(run.table(), asOf(request), request.detail(), context);
  }

  @Override
  public SessionsReport sessions(ReportRequest request) {
    return SessionsView.of(input(request), asOf(request), context);
  }

  private SessionsView.Input input(ReportRequest request) {
    return new SessionsView.Input(
        run.table(), run.counters(), run.barrierSpans(), request.batchSize());
  }

  @Override
  public SessionListReport sessionList(ReportRequest request) {
    return SessionListView.of(
        run.table(),
        asOf(request),
        request.sort() == null ? "start" : request.sort(),
        request.limitOr(USUAL_ROWS),
        request.cursor(),
        context);
  }

  @Override
  public SessionColumns sessionColumns(ReportRequest request) {
    return SessionColumnsView.of(
        run.table(), asOf(request), request.limitOr(SessionColumns.DEFAULT_BUDGET), context);
  }

  private SessionView.SourceLines sourceLines(SpanTable table, int session) throws IOException {
    try (LineFetcher lines = new LineFetcher(files::get)) {
      return SessionLines.of(lines, table, session);
    }
  }

  @Override
  public Optional<SessionReport> session(String id, ReportRequest request) throws IOException {
    SpanTable table = run.table();
    int session = table.findSession(id);
    if (session < 0 || table.isLane(session)) {
      return Optional.empty();
    }
    return Optional.of(
        SessionView.of(
            table, session, asOf(request).nowNs(), sourceLines(table, session), context));
  }

  @Override
  public ErrorsReport errors(ReportRequest request) {
    return ErrorsView.of(run.table(), request, request.limitOr(USUAL_ROWS), context);
  }

  @Override
  public FindingsReport findings(ReportRequest request) {
    return FindingsView.of(run.table(), asOf(request), context);
  }

  @Override
  public OccupancyReport occupancy(ReportRequest request) {
    return OccupancyView.of(
        run.table(),
        asOf(request),
        request.fromNs(),
        request.toNs(),
        request.limitOr(USUAL_BUCKETS),
        context);
  }

  @Override
  public BatchesReport batches(ReportRequest request) {
    return BatchesView.of(input(request), asOf(request), request.limitOr(USUAL_ROWS), context);
  }

  @Override
  public TimelineReport timeline(ReportRequest request) {
    return TimelineView.of(
        run.table(),
        asOf(request),
        request.by(),
        request.fromNs(),
        request.toNs(),
        request.limitOr(TimelineReport.DEFAULT_BUDGET),
        context);
  }

  @Override
  public MetricsReport metrics() {
    return run.metrics().metrics(context.source(), context.run());
  }

  @Override
  public ChartReport chart(ChartQuestion question) {
    return run.metrics().chart(question, context.source(), context.run());
  }

  @Override
  public AnnotationsReport annotations(Long fromNs, Long toNs) {
    ReportRequest all = ReportRequest.of(Scope.ALL);
    Map<String, Long> steps = new HashMap<>();
    batches(all.limit(AnnotationsReport.MOST))
        .batches()
        .forEach(batch -> steps.put(batch.batch(), batch.trainStep()));
    SessionColumns sessions = sessionColumns(all.limit(SessionColumns.MAX_BUDGET));
    return AnnotationsView.of(run.table(), sessions, steps, fromNs, toNs, context);
  }
}
