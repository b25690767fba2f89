package io.rollscope.server;

import com.linecorp.armeria.common.TlsProvider;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.rollscope.otlp.Signal;
import io.rollscope.server.access.Access;
import io.rollscope.server.access.Guard;
import io.rollscope.server.receive.GrpcReceiver;
import io.rollscope.server.receive.HttpReceiver;
import io.rollscope.server.receive.NoMethod;
import io.rollscope.server.receive.Receiver;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** The three ports, open or closed together. */
final class Ports implements Closeable {
  private static final int MAX_CONNECTIONS = 10_000;
  private static final long MAX_STREAMS_PER_CONNECTION = 1_000;
  private static final long MAX_QUESTION_BYTES = 1 << 20;

  private static final Duration CONNECTION_AGE = Duration.ofHours(1);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  private final InetAddress address;
  private final Access access;
  private final Timeouts timeouts;
  private final TlsProvider tls;
  private final List<Server> servers = new ArrayList<>();

  /**
   * How long clients may take.
   *
   * @param request from the first byte of a request to the last of its answer
   * @param idle between requests
   * @param slowBody for some bytes of a body
   */
  record Timeouts(Duration request, Duration idle, Duration slowBody) {
    static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(60), Duration.ofMinutes(2), Duration.ofSeconds(10));
  }

  /**
   * @param tls whose certificate clients see, or null for ports without TLS
   */
  Ports(InetAddress address, Access access, Timeouts timeouts, TlsProvider tls) {
    this.tls = tls;
    this.address = address;
    this.access = access;
    this.timeouts = timeouts;
  }

  /** Opens the port of page and API, which takes OTLP/HTTP, too. Returns its number. */
  int openApi(int port, Receiver receiver, Guard.Speech speech, Consumer<ServerBuilder> routes)
      throws StartException {
    ServerBuilder builder = builder(port).maxRequestLength(MAX_QUESTION_BYTES);
    otlp(builder, receiver);
    routes.accept(builder);
    Guard.Speech both =
        (request, refusal) ->
            request.path().startsWith("/v1/")
                ? HttpReceiver.refusal(request, refusal)
                : speech.refuse(request, refusal);
    return open(guarded(builder, Guard.ofHttp(access, both), both), port, "--port");
  }

  int openOtlpHttp(int port, Receiver receiver) throws StartException {
    ServerBuilder builder = builder(port);
    otlp(builder, receiver);
    builder.serviceUnder("/", NoMethod.overHttp());
    Guard.Speech speech = HttpReceiver::refusal;
    return open(guarded(builder, Guard.ofHttp(access, speech), speech), port, "--otlp-http-port");
  }

  int openOtlpGrpc(int port, Receiver receiver) throws StartException {
    ServerBuilder builder = builder(port).maxRequestLength(0);
    for (Signal signal : Signal.values()) {
      builder.service(GrpcReceiver.path(signal), new GrpcReceiver(signal, receiver));
    }
    builder.serviceUnder("/", NoMethod.overGrpc());
    builder.decorator(NoMethod::onlyGrpc);
    Guard.Speech speech = (request, refusal) -> GrpcReceiver.refusal(refusal);
    return open(guarded(builder, Guard.ofGrpc(access, speech), speech), port, "--otlp-grpc-port");
  }

  private static void otlp(ServerBuilder builder, Receiver receiver) {
    for (Signal signal : Signal.values()) {
      builder
          .route()
          .path("/v1/" + signal.name().toLowerCase(Locale.ROOT))
          .maxRequestLength(0)
          .build(new HttpReceiver(signal, receiver));
    }
  }

  private ServerBuilder builder(int port) {
    InetSocketAddress at = new InetSocketAddress(address, port);
    ServerBuilder builder = Server.builder();
    return (tls == null ? builder.http(at) : builder.https(at).tlsProvider(tls))
        .disableServerHeader()
        .meterRegistry(new CompositeMeterRegistry())
        .setHeader("X-Content-Type-Options", "nosniff")
        .maxNumConnections(MAX_CONNECTIONS)
        .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
        .requestTimeout(timeouts.request())
        .idleTimeout(timeouts.idle())
        .maxConnectionAge(CONNECTION_AGE)
        .gracefulShutdownTimeout(Duration.ZERO, SHUTDOWN_TIMEOUT);
  }

  private static ServerBuilder guarded(ServerBuilder builder, Guard guard, Guard.Speech speech) {
    return builder
        .decorator(guard)
        .errorHandler(
            (ctx, cause) -> speech.refuse(ctx.request().headers(), NoMethod.failure(cause)));
  }

  private int open(ServerBuilder builder, int port, String option) throws StartException {
    Server server = builder.build();
    try {
      server.start().join();
    } catch (CompletionException e) {
      server.close();
      throw new StartException(reason(port, option, e.getCause()), e);
    }
    servers.add(server);
    return server.activeLocalPort();
  }

  private String reason(int port, String option, Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    if (text.contains("in use")) {
      return "port: "
          + port
          + " is in use (expected: a free one; "
          + option
          + " chooses another, 0 any)";
    }
    if (text.contains("assign")) {
      return "host: " + address.getHostAddress() + " (expected: an address of this machine)";
    }
    return "port: " + port + ": " + text + " (expected: one that can be bound; see " + option + ")";
  }

  /** What each open port serves. */
  List<Server> servers() {
    return List.copyOf(servers);
  }

  /** Waits for requests under way, but not for ever. */
  @Override
  public void close() {
    CompletableFuture.allOf(
            servers.stream().map(Server::closeAsync).toArray(CompletableFuture<?>[]::new))
        .join();
  }
}
