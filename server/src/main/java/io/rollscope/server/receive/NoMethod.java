package io.rollscope.server.receive;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.server.receive.Refusal.Why;

/** Answers to requests that no receiver takes. */
public final class NoMethod {
  private NoMethod() {}

  /** For unknown paths of OTLP/HTTP. */
  public static HttpService overHttp() {
    return (ctx, request) ->
        HttpReceiver.refusal(
            request.headers(),
            Refusal.of(
                Why.NOT_FOUND,
                "path: " + ctx.path() + " (expected: /v1/traces, /v1/logs or /v1/metrics)"));
  }

  /** For unknown methods of OTLP/gRPC. */
  public static HttpService overGrpc() {
    return (ctx, request) ->
        GrpcReceiver.refusal(
            Refusal.of(
                Why.NOT_FOUND,
                "method: " + ctx.path() + " (expected: Export of traces, logs or metrics)"));
  }

  /** Tells people who came to the gRPC port by mistake. */
  public static HttpResponse onlyGrpc(
      HttpService next, ServiceRequestContext ctx, HttpRequest request) throws Exception {
    if (GrpcReceiver.isGrpc(request.headers()) && ctx.sessionProtocol().isMultiplex()) {
      return next.serve(ctx, request);
    }
    return HttpResponse.of(
        HttpStatus.UNSUPPORTED_MEDIA_TYPE,
        MediaType.PLAIN_TEXT_UTF_8,
        "This port takes OTLP over gRPC (HTTP/2, application/grpc) only.\n");
  }

  /** What to tell when a request failed in a way nobody foresaw. */
  public static Refusal failure(Throwable cause) {
    return Failures.refusal(cause);
  }
}
