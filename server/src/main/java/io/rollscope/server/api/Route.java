package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One path of the API: its methods, its parameters, and where it is answered. */
final class Route implements HttpService {
  private static final Logger LOG = LoggerFactory.getLogger(Route.class);

  /** Answers one request; runs where it may block. */
  @FunctionalInterface
  interface Handler {
    HttpResponse answer(Call call) throws Exception;
  }

  private record Method(Collection<String> parameters, Handler handler) {}

  private final Executor workers;
  private final Map<HttpMethod, Method> methods = new TreeMap<>();

  Route(Executor workers) {
    this.workers = workers;
  }

  /** Answers GET, and HEAD. */
  Route get(Handler handler, String... parameters) {
    return on(HttpMethod.GET, handler, parameters).on(HttpMethod.HEAD, handler, parameters);
  }

  /**
   * @param parameters names, several in one text with a space between
   */
  Route on(HttpMethod method, Handler handler, String... parameters) {
    List<String> known = Stream.of(parameters).flatMap(p -> Stream.of(p.split(" "))).toList();
    methods.put(method, new Method(known, handler));
    return this;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    Method method = methods.get(request.method());
    if (method == null) {
      return wrongMethod(request.headers());
    }
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(
                whole -> {
                  CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
                  try {
                    workers.execute(
                        () -> answer.complete(answer(method, new Call(ctx, whole.contentUtf8()))));
                  } catch (RejectedExecutionException e) {
                    answer.complete(
                        Answer.error(
                            ApiException.busy(
                                "questions waiting: too many (expected: a retry after a moment)")));
                  }
                  return answer;
                }));
  }

  private static HttpResponse answer(Method method, Call call) {
    try {
      call.check(method.parameters());
      return method.handler().answer(call);
    } catch (ApiException e) {
      return Answer.error(e);
    } catch (Exception e) {
      LOG.warn("A question failed: {}", call.headers().path(), e);
      return Answer.error(
          HttpStatus.INTERNAL_SERVER_ERROR, "internal", "question: failed; see the server's log");
    }
  }

  private HttpResponse wrongMethod(RequestHeaders request) {
    String allowed = String.join(", ", methods.keySet().stream().map(Enum::name).toList());
    Answer.Problem problem =
        new Answer.Problem(
            "method_not_allowed", "method: " + request.method() + " (expected: " + allowed + ")");
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.METHOD_NOT_ALLOWED)
            .contentType(MediaType.JSON)
            .add(HttpHeaderNames.ALLOW, allowed)
            .build(),
        HttpData.wrap(Json.bytes(Map.of("error", problem))));
  }
}
