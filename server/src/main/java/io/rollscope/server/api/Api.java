package io.rollscope.server.api;

import static io.rollscope.server.api.Parameters.FILTER;
import static io.rollscope.server.api.Parameters.PAGE;
import static io.rollscope.server.api.Parameters.SCOPE;
import static io.rollscope.server.api.ReportRoutes.WINDOW;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import io.rollscope.server.access.Access;
import io.rollscope.server.access.Guard;
import io.rollscope.server.access.Login;
import io.rollscope.server.scrape.TargetStatus;
import io.rollscope.server.scrape.book.Targets;
import io.rollscope.store.StoreHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** All paths of the port for people: page, API, probes. */
public final class Api {
  private static final String RUN = "/api/v1/runs/{run}";

  /** Only what we serve ourselves is run or loaded, and nobody frames it. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; font-src 'self' data:; base-uri 'none';"
              + " form-action 'none'; frame-ancestors 'none'; object-src 'none'",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private final Access access;
  private final StoreAdmin admin;
  private final LiveStreams streams;
  private final Scraped scraped;
  private final Desks desks;
  private final Condition condition;

  /**
   * Where questions are answered, so that slow ones do not hold up others. Each may refuse.
   *
   * @param quick what is in memory
   * @param reports what takes a query
   * @param sql what users ask
   */
  public record Desks(Executor quick, Executor reports, Executor sql) {}

  /**
   * What is known of scraping.
   *
   * @param otlpPort where OTLP/HTTP is taken
   */
  public record Scraped(
      Targets targets, Supplier<List<TargetStatus>> status, IntSupplier otlpPort) {}

  /**
   * How the server is, apart from the store.
   *
   * @param portTrouble why a port takes no connections, or empty
   * @param problems what the operator should see to, though the server serves
   */
  public record Condition(Supplier<String> portTrouble, Supplier<List<String>> problems) {}

  public Api(
      Access access,
      StoreAdmin admin,
      LiveStreams streams,
      Scraped scraped,
      Desks desks,
      Condition condition) {
    this.condition = condition;
    this.access = access;
    this.admin = admin;
    this.streams = streams;
    this.scraped = scraped;
    this.desks = desks;
  }

  /** How this port says no. */
  public static Guard.Speech speech() {
    return Answer::refusal;
  }

  /** Adds every path, and an answer for all others. */
  public void addTo(ServerBuilder server) {
    HEADERS.forEach(server::setHeader);
    RunRoutes runs = new RunRoutes(admin, streams, access);
    ReportRoutes reports = new ReportRoutes(admin, access);
    MetricRoutes metrics = new MetricRoutes(admin);
    server
        .service("/api/v1/runs", route().get(runs::runs, RunRoutes.LIST))
        .service(RUN, route().get(runs::run).on(HttpMethod.DELETE, runs::delete))
        .service(RUN + "/live", route().get(runs::live, SCOPE, FILTER, PAGE, "sort"))
        .service(
            RUN + "/live/stream",
            route().on(HttpMethod.GET, runs::stream, SCOPE, FILTER, ReportRoutes.LIMIT))
        .service(
            RUN + "/batches", report().get(runs.of(reports::batches), "now", ReportRoutes.LIMIT))
        .service(
            RUN + "/findings",
            report().get(runs.of(reports::findings), SCOPE, ReportRoutes.FINDINGS))
        .service(
            RUN + "/hotspots",
            report().get(runs.of(reports::hotspots), SCOPE, FILTER, ReportRoutes.HOTSPOTS))
        .service(
            RUN + "/sessions",
            report().get(runs.of(reports::sessions), SCOPE, FILTER, PAGE, ReportRoutes.SESSIONS))
        .service(RUN + "/sessions/{session}", report().get(runs.of(reports::session), "now"))
        .service(RUN + "/sessions/{session}/chrome", report().get(runs.of(reports::chrome)))
        .service(
            RUN + "/errors",
            report().get(runs.of(reports::errors), SCOPE, FILTER, ReportRoutes.LIMIT))
        .service(
            RUN + "/timeline",
            report().get(runs.of(reports::timeline), SCOPE, FILTER, WINDOW, ReportRoutes.TIMELINE))
        .service(
            RUN + "/occupancy",
            report()
                .get(runs.of(reports::occupancy), SCOPE, FILTER, WINDOW, ReportRoutes.OCCUPANCY))
        .service(RUN + "/metrics", report().get(runs.of(metrics::metrics)))
        .service(RUN + "/metrics/data", report().get(runs.of(metrics::data), MetricRoutes.DATA))
        .service(
            RUN + "/annotations",
            report().get(runs.of(metrics::annotations), MetricRoutes.ANNOTATIONS))
        .service("/api/v1/traces/{trace}", report().get(reports::trace))
        .service("/api/v1/query", new Route(desks.sql()).on(HttpMethod.POST, reports::sql))
        .service("/api/v1/targets", targets())
        .service("/api/v1/login", new Login(access, speech()))
        .service("/healthz", probe().get(call -> call.json(Map.of("status", "ok"))))
        .service("/readyz", probe().get(this::ready))
        .serviceUnder("/", notFound());
    new InsightRoutes(admin, scraped.targets(), scraped.otlpPort())
        .routes(this::report)
        .forEach((path, route) -> server.service("/api/v1/" + path, route));
    Page.addTo(server);
  }

  private Route targets() {
    TargetRoutes targets = new TargetRoutes(admin, scraped.targets(), scraped.status());
    return report()
        .get(targets::list)
        .on(HttpMethod.POST, targets::add)
        .on(HttpMethod.DELETE, targets::remove, TargetRoutes.REMOVE);
  }

  private Route route() {
    return new Route(desks.quick());
  }

  private Route report() {
    return new Route(desks.reports());
  }

  /** Answered at once: a busy server is not a dead one. */
  private static Route probe() {
    return new Route(Runnable::run);
  }

  private HttpResponse ready(Call call) {
    StoreHealth health = admin.health();
    String reason = health.ready() ? condition.portTrouble().get() : health.reason();
    if (reason.isEmpty()) {
      List<String> found = new ArrayList<>(condition.problems().get());
      found.addAll(health.damaged());
      String status = health.damaged().isEmpty() ? "ok" : "degraded";
      return call.json(
          found.isEmpty() ? Map.of("status", "ok") : new ReadyWithProblems(status, found));
    }
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
            .contentType(MediaType.JSON)
            .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        HttpData.wrap(Json.bytes(new NotReady("unavailable", reason))));
  }

  record ReadyWithProblems(String status, List<String> problems) {}

  record NotReady(String status, String reason) {}

  private static HttpService notFound() {
    return (ctx, request) ->
        Answer.error(
            HttpStatus.NOT_FOUND,
            "not_found",
            "path: " + ctx.path() + " (expected: one that docs/api.md names)");
  }
}
