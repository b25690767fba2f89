package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpResponse;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartQuestion.Aggregation;
import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Metrics of a run: which there are, and charts of them. */
final class MetricRoutes {
  static final String DATA =
      "name* axis from_s to_s from_step to_step agg by* where* points bucket_s as";
  static final String ANNOTATIONS = "from_s to_s";

  private final StoreAdmin admin;

  MetricRoutes(StoreAdmin admin) {
    this.admin = admin;
  }

  HttpResponse metrics(Call call) throws ApiException, SQLException, IOException {
    return call.json(ReportRoutes.ask(() -> run(call).metrics()));
  }

  HttpResponse data(Call call) throws ApiException, SQLException, IOException {
    ChartQuestion question = question(call);
    return call.json(ReportRoutes.ask(() -> run(call).chart(question)));
  }

  HttpResponse annotations(Call call) throws ApiException, SQLException, IOException {
    Long from = call.parameters().nanos("from_s");
    Long to = call.parameters().nanos("to_s");
    return call.json(ReportRoutes.ask(() -> run(call).annotations(from, to)));
  }

  private RunReports run(Call call) {
    return admin.reports(call.part("run"));
  }

  private static ChartQuestion question(Call call) throws ApiException {
    Parameters p = call.parameters();
    List<String> names = p.all("name");
    if (names.isEmpty() || names.size() > ChartQuestion.MAX_NAMES) {
      throw Parameters.wrong("name", names.size() + " of them", "1 to " + ChartQuestion.MAX_NAMES);
    }
    boolean steps = p.word("axis", "time", "step").equals("step");
    Long from = p.nanos("from_s");
    Long to = p.nanos("to_s");
    if (from != null && to != null && from >= to) {
      throw Parameters.wrong("to_s", p.text("to_s"), "later than from_s");
    }
    Long fromStep = p.whole("from_step");
    Long toStep = p.whole("to_step");
    if (fromStep != null && toStep != null && fromStep > toStep) {
      throw Parameters.wrong("to_step", p.text("to_step"), "at least from_step");
    }
    Long width = p.nanos("bucket_s");
    if (width != null && width <= 0) {
      throw Parameters.wrong("bucket_s", p.text("bucket_s"), "more than 0");
    }
    return new ChartQuestion(
        List.copyOf(new java.util.LinkedHashSet<>(names)),
        steps,
        from,
        to,
        fromStep,
        toStep,
        aggregation(p, names),
        p.all("by"),
        where(p.all("where")),
        p.number("points", ChartQuestion.DEFAULT_POINTS, 2, ChartQuestion.MAX_POINTS),
        width,
        p.word("as", "value", "rate").equals("rate"));
  }

  private static Aggregation aggregation(Parameters p, List<String> names) throws ApiException {
    String word = p.text("agg") == null ? Aggregation.NONE.word() : p.text("agg");
    Aggregation aggregation;
    try {
      aggregation = Aggregation.named(word);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(e.getMessage());
    }
    if (aggregation == Aggregation.HEATMAP && names.size() > 1) {
      throw Parameters.wrong("agg", "heatmap of " + names.size() + " metrics", "of one");
    }
    return aggregation;
  }

  /** Label and value, with a colon between; several values of one label are alternatives. */
  private static Map<String, List<String>> where(List<String> conditions) throws ApiException {
    Map<String, List<String>> where = new LinkedHashMap<>();
    for (String condition : conditions) {
      int colon = condition.indexOf(':');
      if (colon <= 0) {
        throw Parameters.wrong("where", condition, "label:value");
      }
      where
          .computeIfAbsent(condition.substring(0, colon), label -> new ArrayList<>())
          .add(condition.substring(colon + 1));
    }
    return where;
  }
}
