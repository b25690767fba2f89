package io.rollscope.contract;

import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartQuestion.Aggregation;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.MetricsReport.Metric;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.TimelineReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** What is asked of every source: each answer in every scope, by every filter, in every order. */
public final class Questions {
  /** What can be asked; the name of a question begins with one of them. */
  public static final Set<String> ANSWERS =
      Set.of(
          "live",
          "hotspots",
          "sessions",
          "sessionList",
          "session",
          "errors",
          "occupancy",
          "batches",
          "timeline");

  /** What is always asked in every scope: sources that read the same work find the same. */
  public static final Set<String> FINDINGS = Set.of("findings");

  /** What can be asked of worlds with metrics. */
  public static final Set<String> METRICS = Set.of("metrics", "chart");

  private static final int MOST_SESSIONS = 4;
  private static final int MOST_OF_A_KIND = 2;
  private static final int ROWS = 1_000;
  private static final int BUCKETS = 20;
  private static final int SPANS = 20_000;
  private static final List<String> ORDERS =
      List.of(
          "start",
          "-start",
          "end",
          "-end",
          "wall",
          "-wall",
          "session",
          "-session",
          "status",
          "-status");

  private Questions() {}

  /** Asks a source one thing. */
  @FunctionalInterface
  public interface Question {
    Object ask(RunReports source) throws IOException;
  }

  /** All questions about a world, by name; which filters there are is told by an answer. */
  public static Map<String, Question> of(RunReports reference) throws IOException {
    Map<String, Question> questions = new LinkedHashMap<>();
    LiveReport live = reference.live(ReportRequest.of(Scope.ALL).limit(ROWS));
    List<Scope> scopes = new ArrayList<>(List.of(Scope.ACTIVE, Scope.LATEST, Scope.ALL));
    some(live, LiveReport.Row::batch).forEach(batch -> scopes.add(Scope.ofBatch(batch)));
    for (Scope scope : scopes) {
      everything(questions, scope.word(), ReportRequest.of(scope));
    }
    ReportRequest all = ReportRequest.of(Scope.ALL);
    filters(live).forEach((name, filter) -> filtered(questions, name, all.filter(filter)));
    for (String order : ORDERS) {
      ReportRequest ordered = all.sort(order).limit(ROWS);
      questions.put("sessionList by " + order, r -> r.sessionList(ordered));
    }
    for (TimelineReport.By by : TimelineReport.By.values()) {
      questions.put("timeline by " + by, r -> r.timeline(all.by(by).limit(SPANS)));
    }
    questions.put("batches", r -> r.batches(all));
    live.rows().stream()
        .map(LiveReport.Row::session)
        .limit(MOST_SESSIONS)
        .forEach(id -> questions.put("session " + id, r -> r.session(id, all)));
    metrics(questions, reference.metrics());
    questions.put("session of no such id", r -> r.session("no such session", all).isPresent());
    long later = Math.round(live.generatedAtS()) * 1_000_000_000L + 60_000_000_000L;
    filtered(questions, "a minute later", all.now(later));
    questions.put("findings, a minute later", r -> r.findings(all.now(later)));
    return questions;
  }

  private static void metrics(Map<String, Question> questions, MetricsReport known) {
    questions.put("metrics", RunReports::metrics);
    for (Metric metric : known.metrics()) {
      for (Aggregation how : Aggregation.values()) {
        if (how == Aggregation.HEATMAP && !metric.hasBuckets()) {
          continue;
        }
        for (boolean steps : new boolean[] {true, false}) {
          for (boolean rate : new boolean[] {true, false}) {
            ChartQuestion question = ChartQuestion.of(List.of(metric.name()), steps, how, rate);
            String name =
                "chart of %s, %s by %s, %s"
                    .formatted(
                        metric.name(),
                        how.word(),
                        steps ? "step" : "time",
                        rate ? "rates" : "values");
            questions.put(name, r -> r.chart(question));
            questions.put(name + ", coarse", r -> r.chart(question.points(3, null)));
          }
        }
      }
    }
    List<String> names = known.metrics().stream().map(Metric::name).limit(5).toList();
    ChartQuestion several = ChartQuestion.of(names, false, Aggregation.MEAN, true);
    if (!names.isEmpty()) {
      questions.put("chart of several", r -> r.chart(several));
      questions.put("chart of several, wide", r -> r.chart(several.points(500, 7_000_000_000L)));
    }
  }

  private static void everything(
      Map<String, Question> questions, String name, ReportRequest request) {
    filtered(questions, name, request);
    questions.put("sessions, " + name, r -> r.sessions(request));
    questions.put("errors, " + name, r -> r.errors(request));
    questions.put("findings, " + name, r -> r.findings(request));
    questions.put("occupancy, " + name, r -> r.occupancy(request.limit(BUCKETS)));
    questions.put("timeline, " + name, r -> r.timeline(request.limit(SPANS)));
  }

  private static void filtered(
      Map<String, Question> questions, String name, ReportRequest request) {
    ReportRequest rows = request.limit(ROWS);
    questions.put("live, " + name, r -> r.live(rows));
    questions.put("hotspots, " + name, r -> r.hotspots(request.detail(Detail.ALL)));
    questions.put("sessionList, " + name, r -> r.sessionList(rows));
  }

  private static Map<String, SessionFilter> filters(LiveReport live) {
    Map<String, SessionFilter> filters = new LinkedHashMap<>();
    for (String status : some(live, LiveReport.Row::status)) {
      filters.put("status=" + status, new SessionFilter(status, null, null, null, null));
    }
    for (String stage : some(live, LiveReport.Row::latestStage)) {
      filters.put("stage=" + stage, new SessionFilter(null, stage, null, null, null));
    }
    for (String task : some(live, LiveReport.Row::task)) {
      filters.put("task=" + task, new SessionFilter(null, null, task, null, null));
    }
    for (String name : some(live, LiveReport.Row::taskName)) {
      filters.put("task=" + name, new SessionFilter(null, null, name, null, null));
    }
    for (String worker : some(live, LiveReport.Row::worker)) {
      filters.put("worker=" + worker, new SessionFilter(null, null, null, worker, null));
    }
    filters.put("worker=rollout", new SessionFilter(null, null, null, "rollout", null));
    filters.put("worker=rollout:1", new SessionFilter(null, null, null, "rollout:1", null));
    for (String session : some(live, LiveReport.Row::session)) {
      filters.put("q=" + session, new SessionFilter(null, null, null, null, session));
    }
    for (String text : List.of("GEN", "error", "t1", "because", "_", "nowhere to be found")) {
      filters.put("q=" + text, new SessionFilter(null, null, null, null, text));
    }
    return filters;
  }

  private static Set<String> some(LiveReport live, Function<LiveReport.Row, String> of) {
    Set<String> found = new LinkedHashSet<>();
    live.rows().stream()
        .map(of)
        .filter(Objects::nonNull)
        .distinct()
        .limit(MOST_OF_A_KIND)
        .forEach(found::add);
    return found;
  }
}
