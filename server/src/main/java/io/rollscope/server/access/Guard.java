package io.rollscope.server.access;

import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.GrpcReceiver;
import io.rollscope.server.receive.Refusal;
import io.rollscope.server.receive.Refusal.Why;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Stands before every request of a port and asks {@link Access}. */
public final class Guard implements DecoratingHttpServiceFunction {
  private static final String BEARER = "bearer ";
  private static final Set<String> OPEN =
      Set.of("/", "/favicon.ico", "/healthz", "/readyz", "/api/v1/login");
  private static final String PAGE = "/page/";
  private static final Set<String> SENDING =
      Set.of("/metrics", "/api/v1/services", "/api/v1/prometheus/targets");
  private static final String OTLP = "/v1/";
  private static final Set<String> EXPORTS =
      Arrays.stream(Signal.values()).map(GrpcReceiver::path).collect(Collectors.toSet());

  /** How a port says no. */
  @FunctionalInterface
  public interface Speech {
    HttpResponse refuse(RequestHeaders request, Refusal refusal);
  }

  private final Access access;
  private final Speech speech;
  private final boolean grpcPort;

  private Guard(Access access, Speech speech, boolean grpcPort) {
    this.access = access;
    this.speech = speech;
    this.grpcPort = grpcPort;
  }

  /** For the ports of page, API and OTLP/HTTP. */
  public static Guard ofHttp(Access access, Speech speech) {
    return new Guard(access, speech, false);
  }

  /** For the port that takes OTLP/gRPC and nothing else. */
  public static Guard ofGrpc(Access access, Speech speech) {
    return new Guard(access, speech, true);
  }

  @Override
  public HttpResponse serve(HttpService next, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    String bearer = access.needsToken() ? bearer(request.headers()) : null;
    Brake brake = new Brake(access.wrongTokens(), ctx);
    if (bearer != null && !brake.mayTry()) {
      return speech.refuse(request.headers(), Brake.REFUSAL);
    }
    Refusal refusal = refusal(ctx, request.headers(), bearer);
    if (refusal == null) {
      return next.serve(ctx, request);
    }
    HttpResponse answer = speech.refuse(request.headers(), refusal);
    return bearer != null && refusal.why() == Why.UNAUTHENTICATED ? brake.slowed(answer) : answer;
  }

  private Refusal refusal(ServiceRequestContext ctx, RequestHeaders headers, String bearer) {
    String authority = headers.authority();
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null && !Hosts.isSameOrigin(origin, authority)) {
      return Refusal.of(
          Why.FORBIDDEN, "origin: " + origin + " (expected: that of this server's own page)");
    }
    boolean grpc = grpcPort && GrpcReceiver.isGrpc(headers) && ctx.sessionProtocol().isMultiplex();
    Access.Zone zone = zone(ctx.path());
    InetAddress client = ctx.remoteAddress().getAddress();
    Access.Host host = new Access.Host(authority, !grpc);
    String cookie = cookie(ctx, headers);
    return switch (access.judge(zone, client, host, bearer, cookie)) {
      case YES -> {
        renew(ctx, cookie);
        yield null;
      }
      case TOKEN_NEEDED ->
          Refusal.of(
              Why.UNAUTHENTICATED,
              "token: none or a wrong one (expected: Authorization: Bearer TOKEN)");
      case WRONG_HOST ->
          Refusal.of(
              Why.MISDIRECTED,
              "host: " + authority + " (expected: the address this server is bound to)");
    };
  }

  private void renew(ServiceRequestContext ctx, String cookie) {
    if (cookie != null) {
      access
          .renewed(cookie)
          .ifPresent(
              fresh ->
                  ctx.addAdditionalResponseHeader(
                      HttpHeaderNames.SET_COOKIE, Login.cookie(ctx, fresh)));
    }
  }

  /** By the path alone: what else a request says of itself, its sender chooses. */
  private Access.Zone zone(String path) {
    if (grpcPort) {
      return EXPORTS.contains(path) ? Access.Zone.SENDING : Access.Zone.GUARDED;
    }
    if (OPEN.contains(path) || path.startsWith(PAGE)) {
      return Access.Zone.OPEN;
    }
    return SENDING.contains(path) || path.startsWith(OTLP)
        ? Access.Zone.SENDING
        : Access.Zone.GUARDED;
  }

  private static String bearer(RequestHeaders headers) {
    String value = headers.get(HttpHeaderNames.AUTHORIZATION);
    return value != null && value.toLowerCase(Locale.ROOT).startsWith(BEARER)
        ? value.substring(BEARER.length()).strip()
        : null;
  }

  private static String cookie(ServiceRequestContext ctx, RequestHeaders headers) {
    String name = Login.cookieName(ctx);
    return headers.cookies().stream()
        .filter(c -> c.name().equals(name))
        .map(Cookie::value)
        .findFirst()
        .orElse(null);
  }
}
