package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.HttpFile;
import io.rollscope.server.access.Access;
import io.rollscope.server.access.Guard;
import io.rollscope.server.access.Login;
import io.rollscope.store.StoreHealth;
import java.util.Map;
import java.util.concurrent.Executor;

/** All paths of the port for people: page, API, probes. */
public final class Api {
  private static final String PAGE = "io/rollscope/server/page";

  /** Only what we serve ourselves is run or loaded, and nobody frames it. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
              + " object-src 'none'",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private final Access access;
  private final Questions questions;
  private final LiveStreams streams;
  private final Executor workers;

  /**
   * @param workers where questions are answered; may refuse
   */
  public Api(Access access, Questions questions, LiveStreams streams, Executor workers) {
    this.access = access;
    this.questions = questions;
    this.streams = streams;
    this.workers = workers;
  }

  /** How this port says no. */
  public static Guard.Speech speech() {
    return Answer::refusal;
  }

  /** Adds every path, and an answer for all others. */
  public void addTo(ServerBuilder server) {
    HEADERS.forEach(server::setHeader);
    RunRoutes runs = new RunRoutes(questions, streams, access);
    server
        .service("/api/v1/runs", route().get(runs::runs, RunRoutes.LIST))
        .service("/api/v1/runs/{run}", route().get(runs::run).on(HttpMethod.DELETE, runs::delete))
        .service("/api/v1/runs/{run}/live", route().get(runs::live, RunRoutes.LIVE))
        .service(
            "/api/v1/runs/{run}/live/stream",
            route().on(HttpMethod.GET, runs::stream, RunRoutes.STREAM))
        .service("/api/v1/query", route().on(HttpMethod.POST, runs::sql))
        .service("/api/v1/login", new Login(access, speech()))
        .service("/healthz", route().get(call -> call.json(Map.of("status", "ok"))))
        .service("/readyz", route().get(this::ready))
        .service("/", HttpFile.of(Api.class.getClassLoader(), PAGE + "/index.html").asService())
        .serviceUnder("/page", FileService.of(Api.class.getClassLoader(), PAGE))
        .serviceUnder("/", notFound());
  }

  private Route route() {
    return new Route(workers);
  }

  private HttpResponse ready(Call call) {
    StoreHealth health = questions.health();
    if (health.ready()) {
      return call.json(Map.of("status", "ok"));
    }
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
            .contentType(MediaType.JSON)
            .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        HttpData.wrap(Json.bytes(new NotReady("unavailable", health.reason()))));
  }

  record NotReady(String status, String reason) {}

  private static HttpService notFound() {
    return (ctx, request) ->
        Answer.error(
            HttpStatus.NOT_FOUND,
            "not_found",
            "path: " + ctx.path() + " (expected: one that docs/api.md names)");
  }
}
