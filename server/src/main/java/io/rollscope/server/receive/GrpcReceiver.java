package io.rollscope.server.receive;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.grpc.protocol.GrpcHeaderNames;
import com.linecorp.armeria.common.grpc.protocol.StatusMessageEscaper;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.otlp.Signal;
import io.rollscope.server.metrics.Traffic.Transport;
import io.rollscope.server.receive.Receiver.Form;
import io.rollscope.server.receive.Refusal.Why;
import io.rollscope.store.Incoming;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/**
 * One {@code Export} method: OTLP/gRPC. The five bytes before a gRPC message are read into the room
 * that the store wants before it, so that the message is never copied.
 */
public final class GrpcReceiver implements HttpService {
  private static final int PREFIX = 5;
  private static final String ENCODINGS = "identity,gzip";

  private final Signal signal;
  private final Receiver receiver;

  public GrpcReceiver(Signal signal, Receiver receiver) {
    this.signal = signal;
    this.receiver = receiver;
  }

  /** The path of the method. */
  public static String path(Signal signal) {
    String service =
        switch (signal) {
          case TRACES -> "trace.v1.TraceService";
          case LOGS -> "logs.v1.LogsService";
          case METRICS -> "metrics.v1.MetricsService";
        };
    return "/opentelemetry.proto.collector." + service + "/Export";
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    String encoding = request.headers().get(GrpcHeaderNames.GRPC_ENCODING, "identity");
    Refusal refusal = receiver.closed();
    if (!encoding.equals("gzip") && !encoding.equals("identity")) {
      refusal =
          Refusal.of(
              Why.UNSUPPORTED, "grpc-encoding: " + encoding + " (expected: gzip or identity)");
    }
    InFlight.Claim claim = receiver.claim(ctx);
    Limits limits = receiver.limits();
    int room = Incoming.HEAD - PREFIX;
    return HttpResponse.of(
        Body.read(
                request,
                ctx.eventLoop(),
                room,
                limits.plus(PREFIX),
                claim,
                receiver.slowBodies(),
                refusal)
            .thenCompose(body -> take(body, encoding.equals("gzip"), claim))
            .handle(
                (taken, failure) -> {
                  claim.close();
                  return failure == null ? accept(taken) : refuse(Failures.refusal(failure));
                }));
  }

  private CompletableFuture<Taken> take(byte[] body, boolean gzip, InFlight.Claim claim) {
    int length = body.length - Incoming.HEAD;
    if (length < 0) {
      return refused("gRPC message: none (expected: one)");
    }
    ByteBuffer prefix = ByteBuffer.wrap(body, Incoming.HEAD - PREFIX, PREFIX);
    byte compressed = prefix.get();
    int announced = prefix.getInt();
    if (announced != length) {
      return refused("gRPC message: " + length + " bytes (expected: " + announced + ")");
    }
    if (compressed != 0 && !gzip) {
      return refused("gRPC message: compressed (expected: a grpc-encoding that says how)");
    }
    return receiver.take(signal, Form.PROTOBUF, compressed != 0, body, claim);
  }

  private static CompletableFuture<Taken> refused(String message) {
    return CompletableFuture.failedFuture(new RefusedException(Refusal.of(Why.MALFORMED, message)));
  }

  private HttpResponse accept(Taken taken) {
    receiver.traffic().answered(signal, Transport.GRPC, "0");
    byte[] message = Answers.of(signal, taken, Form.PROTOBUF);
    byte[] framed =
        ByteBuffer.allocate(PREFIX + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    ResponseHeadersBuilder head = head();
    if (taken.wantedStacks() != null) {
      head.add(Taken.WANT_STACK, taken.wantedStacks());
    }
    return HttpResponse.of(
        head.build(), HttpData.wrap(framed), HttpHeaders.of(GrpcHeaderNames.GRPC_STATUS, "0"));
  }

  private HttpResponse refuse(Refusal refusal) {
    receiver
        .traffic()
        .answered(signal, Transport.GRPC, Integer.toString(refusal.why().grpcStatus()));
    return refusal(refusal);
  }

  /** A refusal as gRPC says it: in trailers, without a message. */
  public static HttpResponse refusal(Refusal refusal) {
    return HttpResponse.of(
        head()
            .endOfStream(true)
            .addInt(GrpcHeaderNames.GRPC_STATUS, refusal.why().grpcStatus())
            .add(GrpcHeaderNames.GRPC_MESSAGE, StatusMessageEscaper.escape(refusal.message()))
            .add(
                GrpcHeaderNames.GRPC_STATUS_DETAILS_BIN,
                Base64.getEncoder()
                    .withoutPadding()
                    .encodeToString(Answers.of(refusal, Form.PROTOBUF)))
            .build());
  }

  private static ResponseHeadersBuilder head() {
    return ResponseHeaders.builder(HttpStatus.OK)
        .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
        .add(GrpcHeaderNames.GRPC_ACCEPT_ENCODING, ENCODINGS);
  }

  /** Whether the request speaks gRPC at all. */
  public static boolean isGrpc(RequestHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.equals("application/grpc")
        || type.startsWith("application/grpc+proto")
        || type.startsWith("application/grpc;");
  }
}
