package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;
import io.rollscope.core.view.BatchesReport;
import io.rollscope.core.view.ErrorsReport;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.OccupancyReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A run that a server knows, and the reports the server gives of it. */
public final class RemoteRun {
  /** The most rows the API gives at once. */
  public static final int MOST_ROWS = 1_000;

  private static final int MOST_SPANS = 200_000;
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

  /** What is going on, with at most so many sessions, or all there are up to a bound. */
  public LiveReport live(Scope scope, int maxRows) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("limit", Math.min(maxRows, MOST_ROWS));
    byte[] answer = api.get(path("/live"), parameters);
    LiveReport first = JsonRecords.read(answer, LiveReport.class);
    Map<String, LiveReport.Row> rows = new LinkedHashMap<>();
    first.rows().forEach(row -> rows.put(row.session(), row));
    String next = JsonRecords.read(answer, Next.class).nextCursor();
    while (next != null && rows.size() < Math.min(maxRows, MOST_PAGED)) {
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

  /**
   * Where the time went.
   *
   * @param detail whether with what takes longer
   */
  public HotspotsReport hotspots(Scope scope, boolean detail) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("detail", detail ? "nesting,workers" : null);
    return api.get(path("/hotspots"), parameters, HotspotsReport.class);
  }

  /**
   * How the sessions fared.
   *
   * @param batchSize tasks consumed per step, to tell steps by AReaL's rule; or null
   */
  public SessionsReport sessions(Scope scope, Integer batchSize) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("batch_size", batchSize);
    return api.get(path("/sessions"), parameters, SessionsReport.class);
  }

  /** What is needed of the API's list of batches. */
  record Batches(List<Batch> batches) {
    record Batch(String batch) {}
  }

  /** Refuses a batch that the run does not have; to be asked when a report is empty. */
  public void requireBatch(Scope scope) throws IOException {
    if (scope.kind() != Scope.Kind.BATCH) {
      return;
    }
    List<String> known =
        api.get(path("/batches"), Map.of("limit", MOST_ROWS), Batches.class).batches().stream()
            .map(Batches.Batch::batch)
            .toList();
    if (!known.contains(scope.batch())) {
      throw Failure.of(
          "--batch", scope.batch(), known.isEmpty() ? "a run that names batches" : named(known));
    }
  }

  /** All about one session. */
  public SessionReport session(String session) throws IOException {
    return api.get(path("/sessions/" + Api.encode(session)), Map.of(), SessionReport.class);
  }

  /** The run itself, as the API tells it. */
  public RunSummary info() throws IOException {
    return api.get(path(""), Map.of(), RunSummary.class);
  }

  /** The sessions by column. */
  public SessionColumns sessionColumns(Scope scope) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("as", "columns");
    parameters.put("budget", SessionColumns.MAX_BUDGET);
    return api.get(path("/sessions"), parameters, SessionColumns.class);
  }

  /** How the newest batches went. */
  public BatchesReport batches(int limit) throws IOException {
    return api.get(path("/batches"), Map.of("limit", limit), BatchesReport.class);
  }

  /** What went wrong, most frequent first. */
  public ErrorsReport errors(Scope scope, int limit) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("limit", limit);
    return api.get(path("/errors"), parameters, ErrorsReport.class);
  }

  /** How many sessions were where, over time. */
  public OccupancyReport occupancy(Scope scope, int buckets) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("buckets", buckets);
    return api.get(path("/occupancy"), parameters, OccupancyReport.class);
  }

  /**
   * The longest spans.
   *
   * @param by what makes a lane
   */
  public RemoteTimeline timeline(Scope scope, String by) throws IOException {
    Map<String, Object> parameters = of(scope);
    parameters.put("by", by);
    parameters.put("budget", MOST_SPANS);
    return api.get(path("/timeline"), parameters, RemoteTimeline.class);
  }

  private String path(String below) {
    return "/api/v1/runs/" + Api.encode(id) + below;
  }

  private static Map<String, Object> of(Scope scope) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    if (scope.kind() == Scope.Kind.BATCH) {
      parameters.put("batch", scope.batch());
    } else {
      parameters.put("scope", scope.word());
    }
    return parameters;
  }
}
