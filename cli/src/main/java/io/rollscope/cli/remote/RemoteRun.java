package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.TimelineReport;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A run that a server knows, and the reports the server gives of it. */
public final class RemoteRun implements RunReports {
  /** The most rows the API gives at once. */
  public static final int MOST_ROWS = 1_000;

  private static final int USUAL_ROWS = 100;
  private static final int MOST_PAGED = 100_000;
  private static final int SHOWN_RUNS = 8;

  private final Api api;
  private final String id;
  private final List<String> others;

  private RemoteRun(Api api, String id, List<String> others) {
    this.api = api;
    this.id = id;
    this.others = others;
  }

  /** What is needed of the API's list of runs. */
  record Runs(List<Line> runs) {
    record Line(String run, String state, double lastS) {
      boolean isLive() {
        return "live".equals(state);
      }
    }
  }

  /**
   * The run that is meant: the one named, else the only one, else the one with the newest activity,
   * live ones first.
   *
   * @param wanted id of the run, or null
   */
  public static RemoteRun choose(Api api, String wanted) throws IOException {
    return find(api, wanted)
        .orElseThrow(
            () ->
                Failure.of(
                    "run",
                    "none on " + api.base(),
                    "a server that has received something; see rollscope demo"));
  }

  /** The same, or nothing while the server has no run at all. */
  static Optional<RemoteRun> find(Api api, String wanted) throws IOException {
    List<Runs.Line> runs =
        new ArrayList<>(api.get("/api/v1/runs", Map.of("limit", MOST_ROWS), Runs.class).runs());
    runs.sort(Comparator.comparing(Runs.Line::isLive).thenComparing(Runs.Line::lastS).reversed());
    List<String> ids = new ArrayList<>(runs.stream().map(Runs.Line::run).toList());
    if (wanted != null && !ids.contains(wanted)) {
      throw Failure.of("--run", wanted, ids.isEmpty() ? "a run; there is none yet" : named(ids));
    }
    if (ids.isEmpty()) {
      return Optional.empty();
    }
    String chosen = wanted == null ? ids.get(0) : wanted;
    ids.remove(chosen);
    return Optional.of(new RemoteRun(api, chosen, ids));
  }

  private static String named(List<String> ids) {
    return "one of "
        + ids.stream().limit(SHOWN_RUNS).collect(Collectors.joining(", "))
        + (ids.size() > SHOWN_RUNS ? ", …" : "");
  }

  public String id() {
    return id;
  }

  /** Runs of the server that the reports leave out. */
  public List<String> others() {
    return others;
  }

  /** Where the next page begins, or null. */
  record Next(String nextCursor) {}

  @Override
  public RunSummary summary() throws IOException {
    return api.get(path(""), Map.of(), RunSummary.class);
  }

  @Override
  public LiveReport live(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    int most = request.limitOr(USUAL_ROWS);
    parameters.put("limit", Math.min(most, MOST_ROWS));
    byte[] answer = api.get(path("/live"), parameters);
    LiveReport first = JsonRecords.read(answer, LiveReport.class);
    Map<String, LiveReport.Row> rows = new LinkedHashMap<>();
    first.rows().forEach(row -> rows.put(row.session(), row));
    String next = JsonRecords.read(answer, Next.class).nextCursor();
    while (next != null && rows.size() < Math.min(most, MOST_PAGED)) {
      parameters.put("cursor", next);
      answer = api.get(path("/live"), parameters);
      // Between two pages a row may move from the one to the other.
      JsonRecords.read(answer, LiveReport.class)
          .rows()
          .forEach(row -> rows.putIfAbsent(row.session(), row));
      next = JsonRecords.read(answer, Next.class).nextCursor();
    }
    return first.withRows(List.copyOf(rows.values()));
  }

  @Override
  public HotspotsReport hotspots(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("detail", request.detail().words());
    return api.get(path("/hotspots"), parameters, HotspotsReport.class);
  }

  @Override
  public SessionsReport sessions(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("batch_size", request.batchSize());
    return api.get(path("/sessions"), parameters, SessionsReport.class);
  }

  /** A page of sessions, as the API gives it. */
  record Page(long total, List<SessionListReport.Row> rows, String nextCursor) {}

  @Override
  public SessionListReport sessionList(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("summary", false);
    parameters.put("sort", request.sort());
    parameters.put("limit", request.limitOr(USUAL_ROWS));
    parameters.put("cursor", request.cursor());
    Page page = api.get(path("/sessions"), parameters, Page.class);
    return new SessionListReport(
        api.base().toString(),
        id,
        request.scope().word(),
        page.total(),
        page.rows(),
        page.nextCursor());
  }

  @Override
  public SessionColumns sessionColumns(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("as", "columns");
    parameters.put("budget", request.limitOr(SessionColumns.DEFAULT_BUDGET));
    return api.get(path("/sessions"), parameters, SessionColumns.class);
  }

  @Override
  public Optional<SessionReport> session(String session, ReportRequest request) throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("now", now(request));
    try {
      String path = path("/sessions/" + Api.encode(session));
      return Optional.of(api.get(path, parameters, SessionReport.class));
    } catch (NotFound e) {
      return Optional.empty();
    }
  }

  @Override
  public BatchesReport batches(ReportRequest request) throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("now", now(request));
    parameters.put("limit", request.limitOr(USUAL_ROWS));
    return api.get(path("/batches"), parameters, BatchesReport.class);
  }

  @Override
  public ErrorsReport errors(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("limit", request.limitOr(USUAL_ROWS));
    return api.get(path("/errors"), parameters, ErrorsReport.class);
  }

  @Override
  public FindingsReport findings(ReportRequest request) throws IOException {
    Map<String, Object> parameters = scope(request);
    parameters.put("now", now(request));
    return api.get(path("/findings"), parameters, FindingsReport.class);
  }

  @Override
  public OccupancyReport occupancy(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("buckets", request.limit() == 0 ? null : request.limit());
    parameters.put("from", seconds(request.fromNs()));
    parameters.put("to", seconds(request.toNs()));
    return api.get(path("/occupancy"), parameters, OccupancyReport.class);
  }

  @Override
  public TimelineReport timeline(ReportRequest request) throws IOException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("by", request.by().word());
    parameters.put("budget", request.limitOr(TimelineReport.DEFAULT_BUDGET));
    parameters.put("from", seconds(request.fromNs()));
    parameters.put("to", seconds(request.toNs()));
    return api.get(path("/timeline"), parameters, TimelineReport.class);
  }

  @Override
  public MetricsReport metrics() throws IOException {
    return api.get(path("/metrics"), Map.of(), MetricsReport.class);
  }

  @Override
  public ChartReport chart(ChartQuestion question) throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("name", question.names());
    parameters.put("axis", question.bySteps() ? "step" : "time");
    parameters.put("from_s", seconds(question.fromNs()));
    parameters.put("to_s", seconds(question.toNs()));
    parameters.put("from_step", question.fromStep());
    parameters.put("to_step", question.toStep());
    parameters.put("agg", question.aggregation().word());
    parameters.put("by", question.by());
    parameters.put(
        "where",
        question.where().entrySet().stream()
            .flatMap(e -> e.getValue().stream().map(value -> e.getKey() + ":" + value))
            .toList());
    parameters.put("points", question.points());
    parameters.put("bucket_s", seconds(question.widthNs()));
    parameters.put("as", question.rate() ? "rate" : "value");
    return api.get(path("/metrics/data"), parameters, ChartReport.class).withInfiniteBound();
  }

  @Override
  public AnnotationsReport annotations(Long fromNs, Long toNs) throws IOException {
    Map<String, Object> window = new LinkedHashMap<>();
    window.put("from_s", seconds(fromNs));
    window.put("to_s", seconds(toNs));
    return api.get(path("/annotations"), window, AnnotationsReport.class);
  }

  private String path(String below) {
    return "/api/v1/runs/" + Api.encode(id) + below;
  }

  private static Map<String, Object> scope(ReportRequest request) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    if (request.scope().kind() == Scope.Kind.BATCH) {
      parameters.put("batch", request.scope().batch());
    } else {
      parameters.put("scope", request.scope().word());
    }
    return parameters;
  }

  private static Map<String, Object> parameters(ReportRequest request) {
    Map<String, Object> parameters = scope(request);
    SessionFilter filter = request.filter();
    parameters.put("status", filter.status());
    parameters.put("stage", filter.stage());
    parameters.put("task", filter.task());
    parameters.put("worker", filter.worker());
    parameters.put("q", filter.text());
    parameters.put("now", now(request));
    return parameters;
  }

  private static String now(ReportRequest request) {
    return request.nowNs() == Nanos.UNKNOWN ? null : seconds(request.nowNs());
  }

  /** Exact, as the API takes it. */
  private static String seconds(Long ns) {
    return ns == null ? null : BigDecimal.valueOf(ns, 9).toPlainString();
  }
}
