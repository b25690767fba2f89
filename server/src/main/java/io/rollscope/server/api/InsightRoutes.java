package io.rollscope.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.rollscope.server.scrape.book.Experiment;
import io.rollscope.server.scrape.book.ExperimentId;
import io.rollscope.server.scrape.book.InsightTargets;
import io.rollscope.server.scrape.book.TargetBook.Registered;
import io.rollscope.server.scrape.book.TargetException;
import io.rollscope.server.scrape.book.TargetJson;
import io.rollscope.server.scrape.book.Targets;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The control API that RL-Insight's clients speak. Paths, keys and status codes are theirs; errors
 * say the same twice, under our key and under theirs ({@code detail}).
 */
final class InsightRoutes {
  static final String IDENTITY = "project experiment_name";

  private final StoreAdmin admin;
  private final Targets targets;
  private final IntSupplier otlpPort;

  /**
   * @param otlpPort where OTLP/HTTP is taken
   */
  InsightRoutes(StoreAdmin admin, Targets targets, IntSupplier otlpPort) {
    this.admin = admin;
    this.targets = targets;
    this.otlpPort = otlpPort;
  }

  /** A handler whose refusals those clients understand. */
  static Route.Handler of(Route.Handler handler) {
    return call -> {
      try {
        return handler.answer(call);
      } catch (TargetException | IOException e) {
        return refusal(TargetRoutes.refusal(e));
      } catch (ApiException e) {
        return refusal(e);
      }
    };
  }

  private static HttpResponse refusal(ApiException e) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", new Answer.Problem(e.code(), e.getMessage()));
    body.put("detail", e.getMessage());
    return HttpResponse.of(
        ResponseHeaders.builder(e.status())
            .contentType(MediaType.JSON)
            .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        HttpData.wrap(Json.bytes(body)));
  }

  record Services(String status, int otlpPort, Integer prometheusPort, Integer grafanaPort) {}

  HttpResponse services(Call call) {
    return call.json(new Services("ok", otlpPort.getAsInt(), targets.prometheusPort(), null));
  }

  HttpResponse register(Call call) throws ApiException, TargetException, IOException {
    InsightTargets wanted = InsightTargets.read(TargetRoutes.body(call), admin.nowNs());
    Targets.Registration done =
        targets.register(wanted.experiment(), wanted.job(), wanted.targets());
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("status", "ok");
    answer.put("prometheus_reloaded", done.prometheusReloaded());
    answer.put("job_name", wanted.job());
    answer.put("target_count", done.count());
    if (wanted.experiment() != null) {
      answer.put("project", wanted.experiment().project());
      answer.put("experiment_name", wanted.experiment().experimentName());
      answer.put("state", "active");
    }
    return call.json(answer);
  }

  HttpResponse experiments(Call call) {
    String project = call.parameters().text("project");
    return call.json(
        targets.experiments(project == null ? null : project.strip()).stream()
            .map(InsightRoutes::row)
            .toList());
  }

  HttpResponse experiment(Call call) throws TargetException {
    Registered found =
        targets.experiment(
            ExperimentId.required(
                call.parameters().text("project"), call.parameters().text("experiment_name")));
    Map<String, Object> answer = row(found);
    answer.put(
        "targets",
        found.targets().stream()
            .map(t -> new TargetRow(t.job(), t.address().text(), t.labels()))
            .toList());
    return call.json(answer);
  }

  record TargetRow(String jobName, String target, Map<String, String> labels) {}

  private static Map<String, Object> row(Registered registered) {
    Experiment experiment = registered.experiment();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("project", experiment.id().project());
    row.put("experiment_name", experiment.id().experimentName());
    row.put("state", experiment.state());
    row.put("target_count", registered.targets().size());
    row.put("created_at", experiment.createdAt());
    row.put("updated_at", experiment.updatedAt());
    return row;
  }

  HttpResponse archive(Call call) throws ApiException, TargetException, IOException {
    return setArchived(call, true);
  }

  HttpResponse restore(Call call) throws ApiException, TargetException, IOException {
    return setArchived(call, false);
  }

  private HttpResponse setArchived(Call call, boolean archived)
      throws ApiException, TargetException, IOException {
    JsonNode body = TargetRoutes.body(call);
    ExperimentId id =
        ExperimentId.required(
            TargetJson.text(body, "project"), TargetJson.text(body, "experiment_name"));
    Targets.Change change = targets.setArchived(id, archived);
    Map<String, Object> answer = row(change.now());
    answer.put("prometheus_converged", change.converged());
    answer.put("message", message(archived, change.converged()));
    return call.json(answer);
  }

  private static String message(boolean archived, Boolean converged) {
    String done =
        archived
            ? "its targets are no longer scraped; what was recorded stays"
            : "its targets are scraped again";
    return Boolean.FALSE.equals(converged) ? done + "; Prometheus does not follow yet" : done;
  }

  /** All paths, with how each is answered. */
  Map<String, Route> routes(Supplier<Route> route) {
    Map<String, Route> routes = new LinkedHashMap<>();
    routes.put("services", route.get().get(of(this::services)));
    routes.put("prometheus/targets", post(route, this::register));
    routes.put("experiments", route.get().get(of(this::experiments), "project"));
    routes.put("experiments/targets", route.get().get(of(this::experiment), IDENTITY));
    routes.put("experiments/archive", post(route, this::archive));
    routes.put("experiments/restore", post(route, this::restore));
    return routes;
  }

  private static Route post(Supplier<Route> route, Route.Handler handler) {
    return route.get().on(HttpMethod.POST, of(handler));
  }
}
