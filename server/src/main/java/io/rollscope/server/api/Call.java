package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.server.access.Access;
import java.util.Collection;

/** One request to the API. */
final class Call {
  private final ServiceRequestContext ctx;
  private final String body;
  private Parameters parameters;

  Call(ServiceRequestContext ctx, String body) {
    this.ctx = ctx;
    this.body = body;
  }

  void check(Collection<String> known) throws ApiException {
    parameters = Parameters.of(ctx.path(), ctx.queryParams(), known);
  }

  ServiceRequestContext context() {
    return ctx;
  }

  RequestHeaders headers() {
    return ctx.request().headers();
  }

  String body() {
    return body;
  }

  Parameters parameters() {
    return parameters;
  }

  /** A part of the path, decoded. */
  String part(String name) {
    return ctx.pathParam(name);
  }

  /** For what strangers must never do, whoever lets them in. */
  void needPower(Access access, String what) throws ApiException {
    if (!access.allowsPower()) {
      throw ApiException.forbidden(
          what + ": off (expected: a server bound to loopback, or one with a token)");
    }
  }

  HttpResponse json(Object value) {
    return Answer.json(headers(), value);
  }
}
