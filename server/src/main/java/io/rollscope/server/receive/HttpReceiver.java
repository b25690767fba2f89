package io.rollscope.server.receive;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.otlp.Signal;
import io.rollscope.server.metrics.Traffic.Transport;
import io.rollscope.server.receive.Receiver.Form;
import io.rollscope.server.receive.Refusal.Why;
import io.rollscope.store.Incoming;
import java.util.Locale;

/** {@code POST /v1/traces}, {@code /v1/logs} and {@code /v1/metrics}: OTLP/HTTP. */
public final class HttpReceiver implements HttpService {
  private static final MediaType PROTOBUF = MediaType.parse("application/x-protobuf");

  private final Signal signal;
  private final Receiver receiver;

  public HttpReceiver(Signal signal, Receiver receiver) {
    this.signal = signal;
    this.receiver = receiver;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    RequestHeaders headers = request.headers();
    Form form = formOf(headers);
    String encoding =
        headers.get(HttpHeaderNames.CONTENT_ENCODING, "identity").toLowerCase(Locale.ROOT);
    boolean gzip = encoding.equals("gzip");
    Refusal refusal = refusal(headers, encoding);
    InFlight.Claim claim = receiver.claim(ctx);
    return HttpResponse.of(
        Body.read(
                request,
                ctx.eventLoop(),
                Incoming.HEAD,
                receiver.limits(),
                claim,
                receiver.slowBodies(),
                refusal)
            .thenCompose(body -> receiver.take(signal, form, gzip, body, claim))
            .handle(
                (taken, failure) -> {
                  claim.close();
                  return failure == null ? accept(taken, form) : refuse(headers, failure);
                }));
  }

  private Refusal refusal(RequestHeaders headers, String encoding) {
    if (headers.method() != HttpMethod.POST) {
      return Refusal.of(Why.WRONG_METHOD, "method: " + headers.method() + " (expected: POST)");
    }
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    if (knownForm(headers) == null) {
      return Refusal.of(
          Why.UNSUPPORTED,
          "content type: " + type + " (expected: application/x-protobuf or application/json)");
    }
    if (!encoding.equals("gzip") && !encoding.equals("identity")) {
      return Refusal.of(
          Why.UNSUPPORTED, "content encoding: " + encoding + " (expected: gzip or identity)");
    }
    return receiver.closed();
  }

  private HttpResponse accept(Taken taken, Form form) {
    receiver.traffic().answered(signal, Transport.HTTP, HttpStatus.OK.codeAsText());
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK).contentType(mediaType(form));
    if (taken.wantedStacks() != null) {
      headers.add(Taken.WANT_STACK, taken.wantedStacks());
    }
    return HttpResponse.of(headers.build(), HttpData.wrap(Answers.of(signal, taken, form)));
  }

  private HttpResponse refuse(RequestHeaders headers, Throwable failure) {
    Refusal refusal = Failures.refusal(failure);
    receiver
        .traffic()
        .answered(signal, Transport.HTTP, Integer.toString(refusal.why().httpStatus()));
    return refusal(headers, refusal);
  }

  /** A refusal in the form of the request: a {@code google.rpc.Status}. */
  public static HttpResponse refusal(RequestHeaders request, Refusal refusal) {
    Form form = formOf(request);
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(refusal.why().httpStatus())
            .add(HttpHeaderNames.CONTENT_TYPE, mediaType(form).toString());
    if (refusal.retryAfter() != null) {
      headers.addLong(HttpHeaderNames.RETRY_AFTER, refusal.retryAfterSeconds());
    }
    switch (refusal.why()) {
      case WRONG_METHOD -> headers.add(HttpHeaderNames.ALLOW, "POST");
      case UNSUPPORTED -> headers.add(HttpHeaderNames.ACCEPT_ENCODING, "gzip, identity");
      case UNAUTHENTICATED ->
          headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"rollscope\"");
      // The rest of its body must not be taken for the next request.
      case TOO_SLOW -> headers.add(HttpHeaderNames.CONNECTION, "close");
      default -> {}
    }
    return HttpResponse.of(headers.build(), HttpData.wrap(Answers.of(refusal, form)));
  }

  private static Form formOf(RequestHeaders headers) {
    Form form = knownForm(headers);
    return form == null ? Form.JSON : form;
  }

  private static Form knownForm(RequestHeaders headers) {
    MediaType type = headers.contentType();
    if (type == null) {
      return null;
    }
    return type.is(PROTOBUF) ? Form.PROTOBUF : type.is(MediaType.JSON) ? Form.JSON : null;
  }

  private static MediaType mediaType(Form form) {
    return form == Form.JSON ? MediaType.JSON : PROTOBUF;
  }
}
