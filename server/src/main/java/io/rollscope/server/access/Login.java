package io.rollscope.server.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.server.receive.Refusal;
import io.rollscope.server.receive.Refusal.Why;
import java.util.Optional;

/** {@code POST /api/v1/login {"token":…}}: trades the token for a cookie. */
public final class Login implements HttpService {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Access access;
  private final Guard.Speech speech;

  public Login(Access access, Guard.Speech speech) {
    this.access = access;
    this.speech = speech;
  }

  /** Cookies do not tell ports apart; two servers on one machine must not take each other's. */
  static String cookieName(ServiceRequestContext ctx) {
    return "rollscope_" + ctx.localAddress().getPort();
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    if (request.method() != HttpMethod.POST) {
      return speech.refuse(
          request.headers(),
          Refusal.of(Why.WRONG_METHOD, "method: " + request.method() + " (expected: POST)"));
    }
    return HttpResponse.of(request.aggregate().thenApply(whole -> answer(ctx, whole)));
  }

  private HttpResponse answer(ServiceRequestContext ctx, AggregatedHttpRequest request) {
    String candidate = token(request);
    if (candidate == null) {
      return speech.refuse(
          request.headers(), Refusal.of(Why.MALFORMED, "body: no token (expected: {\"token\":…})"));
    }
    ResponseHeadersBuilder answer = ResponseHeaders.builder(HttpStatus.NO_CONTENT);
    if (access.needsToken()) {
      Brake brake = new Brake(access.wrongTokens(), ctx);
      if (!brake.mayTry()) {
        return speech.refuse(request.headers(), Brake.REFUSAL);
      }
      Optional<String> value = access.login(candidate);
      if (value.isEmpty()) {
        return brake.slowed(
            speech.refuse(
                request.headers(),
                Refusal.of(Why.UNAUTHENTICATED, "token: a wrong one (expected: the server's)")));
      }
      answer.add(HttpHeaderNames.SET_COOKIE, cookie(ctx, value.get()));
    }
    return HttpResponse.of(answer.build());
  }

  static String cookie(ServiceRequestContext ctx, String value) {
    String secure = ctx.sessionProtocol().isTls() ? "; Secure" : "";
    return cookieName(ctx)
        + "="
        + value
        + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
        + Logins.LIFE.toSeconds()
        + secure;
  }

  private static String token(AggregatedHttpRequest request) {
    try {
      JsonNode token = JSON.readTree(request.contentUtf8()).path("token");
      return token.isTextual() ? token.textValue() : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
