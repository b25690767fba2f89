package io.rollscope.server;

import com.linecorp.armeria.server.Server;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.rollscope.core.view.Scope;
import io.rollscope.server.api.Api;
import io.rollscope.server.api.LiveStreams;
import io.rollscope.server.api.StoreAdmin;
import io.rollscope.server.metrics.MetricsPage;
import io.rollscope.server.metrics.RunMetrics;
import io.rollscope.server.metrics.ScrapeMetrics;
import io.rollscope.server.metrics.StoreMetrics;
import io.rollscope.server.metrics.TailShares;
import io.rollscope.server.metrics.Traffic;
import io.rollscope.server.receive.InFlight;
import io.rollscope.server.receive.Intake;
import io.rollscope.server.receive.Lanes;
import io.rollscope.server.receive.Limits;
import io.rollscope.server.receive.Receiver;
import io.rollscope.server.receive.Shares;
import io.rollscope.server.tls.CertificateException;
import io.rollscope.server.tls.ServerCertificate;
import io.rollscope.store.StoreNumbers;
import io.rollscope.store.query.Question;
import java.io.Closeable;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything between the network and a store: receivers, API, access, own metrics. */
final class FrontDoor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);
  private static final long MAX_IN_FLIGHT = 256L << 20;
  private static final Duration PORT_PATIENCE = Duration.ofSeconds(10);
  private static final int WAITING_REQUESTS = 4_096;
  private static final int WAITING_QUESTIONS = 256;
  private static final int WAITING_SQL = 8;

  private final Entrance entrance;
  private final ServerCertificate certificate;
  private final Ports ports;
  private final Ports.Timeouts timeouts;
  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final ExecutorService smallDecoders;
  private final ExecutorService largeDecoders;
  private final ExecutorService quickAnswers;
  private final ExecutorService reportAnswers;
  private final ExecutorService sqlAnswers;
  private final ScheduledExecutorService ticker;
  private final InFlight inFlight;
  private final Receiver receiver;
  private final ScheduledExecutorService portLooks;
  private final LiveStreams streams;
  private volatile PortWatch portWatch;
  private int apiPort;
  private volatile int otlpHttpPort;
  private int otlpGrpcPort;

  /**
   * What is behind the door.
   *
   * @param clock nanoseconds since the epoch
   */
  record Inside(
      Intake intake,
      StoreAdmin admin,
      Supplier<StoreNumbers> numbers,
      Scraping scraping,
      LongSupplier clock) {}

  private FrontDoor(
      Entrance entrance, ServerCertificate certificate, Inside inside, Ports.Timeouts timeouts) {
    this.entrance = entrance;
    this.certificate = certificate;
    this.timeouts = timeouts;
    this.ports = new Ports(entrance.address(), entrance.access(), timeouts, certificate);
    int cores = Runtime.getRuntime().availableProcessors();
    int threads = Math.max(2, cores);
    this.smallDecoders = Workers.of("rollscope-decode", threads, WAITING_REQUESTS);
    this.largeDecoders = Workers.of("rollscope-decode-large", threads, WAITING_REQUESTS);
    this.quickAnswers = Workers.of("rollscope-answer", 2, WAITING_QUESTIONS);
    this.reportAnswers = Workers.of("rollscope-report", 4, WAITING_QUESTIONS);
    this.sqlAnswers = Workers.of("rollscope-sql", 2, WAITING_SQL);
    this.ticker = timer("rollscope-live");
    this.portLooks = timer("rollscope-ports");
    long room = Math.min(MAX_IN_FLIGHT, Runtime.getRuntime().maxMemory() / 8);
    this.inFlight = new InFlight(room);
    this.receiver =
        new Receiver(
            inside.intake(),
            inFlight,
            Limits.DEFAULT.within(Shares.ofOne(room)).slowAfter(timeouts.slowBody()),
            new Lanes(smallDecoders, largeDecoders),
            inside.clock(),
            new Traffic(metrics));
    this.streams = new LiveStreams(inside.admin(), inside.clock());
    metrics.register(new StoreMetrics(inside.numbers()));
    StoreAdmin admin = inside.admin();
    metrics.register(
        new RunMetrics(
            () -> admin.figures(RunMetrics.MOST_RUNS),
            new TailShares(
                (run, limit) ->
                    admin
                        .stored()
                        .batches(Question.of(run, Scope.ALL, admin.nowNs(run)), null, limit),
                reportAnswers)));
    metrics.register(new ScrapeMetrics(inside.scraping().scraper()::numbers));
    gauge("rollscope_requests_in_flight_bytes", "Bytes of requests in memory.", inFlight::bytes);
    gauge("rollscope_live_streams", "Readers of live streams.", streams::count);
  }

  private static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private void gauge(String name, String help, Supplier<? extends Number> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.get().doubleValue()))
        .register(metrics);
  }

  /** When this returns, all ports answer. */
  static FrontDoor open(ServerOptions options, Inside inside, Ports.Timeouts timeouts)
      throws StartException {
    ServerCertificate certificate = certificate(options, inside.clock());
    FrontDoor door =
        new FrontDoor(Entrance.of(options, inside.clock()), certificate, inside, timeouts);
    try {
      door.openPorts(options, inside);
    } catch (StartException | RuntimeException e) {
      door.close();
      throw e;
    }
    return door;
  }

  private static ServerCertificate certificate(ServerOptions options, LongSupplier clock)
      throws StartException {
    if (options.tls() == null) {
      return null;
    }
    try {
      return ServerCertificate.open(
          options.tls(),
          () -> Instant.ofEpochMilli(TimeUnit.NANOSECONDS.toMillis(clock.getAsLong())),
          LOG::warn);
    } catch (CertificateException e) {
      throw new StartException(e.getMessage(), e);
    }
  }

  /** What the operator should see to, though the server serves. */
  private List<String> problems() {
    return certificate == null ? List.of() : certificate.problem().stream().toList();
  }

  private void openPorts(ServerOptions options, Inside inside) throws StartException {
    StoreAdmin admin = inside.admin();
    Api.Desks desks = new Api.Desks(quickAnswers, reportAnswers, sqlAnswers);
    Api.Scraped scraped =
        new Api.Scraped(
            inside.scraping().targets(), inside.scraping().scraper()::status, () -> otlpHttpPort);
    Api.Condition condition = new Api.Condition(this::portTrouble, this::problems);
    Api api = new Api(entrance.access(), admin, streams, scraped, desks, condition);
    apiPort =
        ports.openApi(
            options.port(),
            receiver,
            Api.speech(),
            server -> {
              server.service("/metrics", new MetricsPage(metrics, admin::exposition, quickAnswers));
              api.addTo(server);
            });
    otlpHttpPort = ports.openOtlpHttp(options.otlpHttpPort(), receiver);
    otlpGrpcPort = ports.openOtlpGrpc(options.otlpGrpcPort(), receiver);
    inside.scraping().own().set(entrance.address(), Set.of(apiPort, otlpHttpPort, otlpGrpcPort));
    HealthWatch watch = new HealthWatch(admin::health, LOG::error);
    portWatch = new PortWatch(ports.all(), PORT_PATIENCE);
    gauge("rollscope_connections", "Connections that are open.", () -> count(Connections::open));
    gauge(
        "rollscope_connections_refused",
        "Connections closed at once, as there were too many, since the start.",
        () -> count(Connections::refused));
    every(portLooks, timeouts.portLook(), portWatch::look);
    everySecond(streams::tick);
    everySecond(() -> receiver.endSlowBodies(System.nanoTime()));
    everySecond(watch::look);
    if (certificate != null) {
      everySecond(certificate::look);
    }
  }

  private long count(ToLongFunction<Connections> number) {
    return ports.all().stream().map(Port::connections).mapToLong(number).sum();
  }

  private String portTrouble() {
    return portWatch == null ? "" : portWatch.trouble();
  }

  private void everySecond(Runnable task) {
    every(ticker, Duration.ofSeconds(1), task);
  }

  private static void every(ScheduledExecutorService timer, Duration pause, Runnable task) {
    Runnable careful =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.warn("What is done every {} s failed", pause.toSeconds(), e);
          }
        };
    var unused =
        timer.scheduleWithFixedDelay(
            careful, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Where own metrics are kept; parts outside add theirs. */
  PrometheusRegistry metrics() {
    return metrics;
  }

  URI url() {
    return address(apiPort);
  }

  URI otlpHttp() {
    return address(otlpHttpPort);
  }

  private URI address(int port) {
    return URI.create((certificate == null ? "http://" : "https://") + entrance.authority(port));
  }

  String otlpGrpc() {
    return entrance.authority(otlpGrpcPort);
  }

  /** What each port serves, to be looked at. */
  List<Server> servers() {
    return ports.servers();
  }

  String token() {
    return entrance.token();
  }

  int liveStreams() {
    return streams.count();
  }

  /** Does now what is done every second. */
  void tick() {
    streams.tick();
    if (certificate != null) {
      certificate.look();
    }
  }

  /**
   * Ends bodies that arrive too slowly now, not within a second.
   *
   * @param nowNs as {@link System#nanoTime} says
   */
  void endSlowBodies(long nowNs) {
    receiver.endSlowBodies(nowNs);
  }

  /** Looks now whether all ports accept, not within seconds. */
  void lookAtPorts() {
    portWatch.look();
  }

  long bytesInFlight() {
    return inFlight.bytes();
  }

  /** From now on senders are asked to come back later; everything else goes on. */
  void stopReceiving() {
    receiver.close();
  }

  @Override
  public void close() {
    stopReceiving();
    ticker.shutdown();
    portLooks.shutdownNow();
    streams.close();
    ports.close();
    smallDecoders.shutdown();
    largeDecoders.shutdown();
    quickAnswers.shutdown();
    reportAnswers.shutdown();
    sqlAnswers.shutdown();
  }
}
