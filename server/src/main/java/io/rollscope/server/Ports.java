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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The three ports, open or closed together. */
final class Ports implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Ports.class);
  private static final int PORTS = 3;
  private static final int MAX_CONNECTIONS = 10_000;

  /** Fewer than a usual cluster's workers are worth a word at start. */
  private static final int FEW_CONNECTIONS = 1_000;

  private static final long MAX_STREAMS_PER_CONNECTION = 1_000;
  private static final long MAX_QUESTION_BYTES = 1 << 20;

  private static final Duration CONNECTION_AGE = Duration.ofHours(1);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  private final InetAddress address;
  private final Access access;
  private final Timeouts timeouts;
  private final TlsProvider tls;
  private final int maxConnections;
  private final List<Port> ports = new ArrayList<>();

  /**
   * How long clients may take.
   *
   * @param request from the first byte of a request to the last of its answer
   * @param idle between requests
   * @param slowBody for some bytes of a body
   * @param portLook how long a port may be deaf before somebody looks
   */
  record Timeouts(Duration request, Duration idle, Duration slowBody, Duration portLook) {
    static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofMinutes(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5));
  }

  /**
   * @param tls whose certificate clients see, or null for ports without TLS
   */
  Ports(InetAddress address, Access access, Timeouts timeouts, TlsProvider tls) {
    this.tls = tls;
    this.address = address;
    this.access = access;
    this.timeouts = timeouts;
    this.maxConnections = maxConnections();
    readTimeZone();
  }

  /**
   * A line of the log has a time, for which Java opens a file once. Were that when no file can be
   * opened any more, it would fail for ever, and with it the thread that reports so.
   */
  private static void readTimeZone() {
    var unused = ZoneId.systemDefault().getRules();
  }

  /** A connection is a file, too: as many as the process may have open, less a reserve. */
  private static int maxConnections() {
    Descriptors files = Descriptors.now();
    int most = files.connectionsPerPort(PORTS, MAX_CONNECTIONS);
    if (most < FEW_CONNECTIONS) {
      LOG.warn(
          "connections: at most {} per port, as {} files may be open (expected: ulimit -n {})",
          most,
          files.limit(),
          2 * PORTS * MAX_CONNECTIONS);
    }
    return most;
  }

  /** Opens the port of page and API, which takes OTLP/HTTP, too. Returns its number. */
  int openApi(int port, Receiver receiver, Guard.Speech speech, Consumer<ServerBuilder> routes)
      throws StartException {
    Guard.Speech both =
        (request, refusal) ->
            request.path().startsWith("/v1/")
                ? HttpReceiver.refusal(request, refusal)
                : speech.refuse(request, refusal);
    return open(
        builder -> {
          builder.maxRequestLength(MAX_QUESTION_BYTES);
          otlp(builder, receiver);
          routes.accept(builder);
          guarded(builder, Guard.ofHttp(access, both), both);
        },
        port,
        "--port");
  }

  int openOtlpHttp(int port, Receiver receiver) throws StartException {
    Guard.Speech speech = HttpReceiver::refusal;
    return open(
        builder -> {
          otlp(builder, receiver);
          builder.serviceUnder("/", NoMethod.overHttp());
          guarded(builder, Guard.ofHttp(access, speech), speech);
        },
        port,
        "--otlp-http-port");
  }

  int openOtlpGrpc(int port, Receiver receiver) throws StartException {
    Guard.Speech speech = (request, refusal) -> GrpcReceiver.refusal(refusal);
    return open(
        builder -> {
          builder.maxRequestLength(0);
          for (Signal signal : Signal.values()) {
            builder.service(GrpcReceiver.path(signal), new GrpcReceiver(signal, receiver));
          }
          builder.serviceUnder("/", NoMethod.overGrpc());
          builder.decorator(NoMethod::onlyGrpc);
          guarded(builder, Guard.ofGrpc(access, speech), speech);
        },
        port,
        "--otlp-grpc-port");
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
        .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
        .requestTimeout(timeouts.request())
        .idleTimeout(timeouts.idle())
        .maxConnectionAge(CONNECTION_AGE)
        .gracefulShutdownTimeout(Duration.ZERO, SHUTDOWN_TIMEOUT);
  }

  private static void guarded(ServerBuilder builder, Guard guard, Guard.Speech speech) {
    builder
        .decorator(guard)
        .errorHandler(
            (ctx, cause) -> speech.refuse(ctx.request().headers(), NoMethod.failure(cause)));
  }

  private int open(Consumer<ServerBuilder> serving, int number, String option)
      throws StartException {
    Port port =
        new Port(
            option,
            address,
            new Connections(maxConnections),
            chosen -> {
              ServerBuilder builder = builder(chosen);
              serving.accept(builder);
              return builder;
            });
    port.open(number);
    ports.add(port);
    return port.address().getPort();
  }

  /** All that are open. */
  List<Port> all() {
    return List.copyOf(ports);
  }

  /** What each open port serves. */
  List<Server> servers() {
    return ports.stream().map(Port::server).toList();
  }

  /** Waits for requests under way, but not for ever. */
  @Override
  public void close() {
    CompletableFuture.allOf(
            ports.stream().map(Port::closeAsync).toArray(CompletableFuture<?>[]::new))
        .join();
  }
}
