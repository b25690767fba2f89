package io.rollscope.server;

import io.rollscope.server.ServerOptions.Scrape;
import io.rollscope.server.receive.Intake;
import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** Ports before a store that only remembers what it was given, and a client for them. */
final class TestDoor implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final ConcurrentLinkedQueue<Incoming> taken = new ConcurrentLinkedQueue<>();
  final TestAdmin admin = new TestAdmin();
  volatile Intake intake = this::remember;
  volatile String recentRun;
  final FrontDoor door;
  final Scraping scraping;

  private TestDoor(ServerOptions options, Ports.Timeouts timeouts) throws StartException {
    Entrance.check(options);
    scraping =
        Scraping.open(options, incoming -> intake.accept(incoming), admin::nowNs, () -> recentRun);
    FrontDoor.Inside inside =
        new FrontDoor.Inside(
            incoming -> intake.accept(incoming), admin, TestAdmin::numbers, scraping, admin::nowNs);
    door = FrontDoor.open(options, inside, timeouts);
  }

  /** With clients that may not take long. */
  static TestDoor impatient(Path data, Duration patience) throws StartException {
    return new TestDoor(
        options(data, "127.0.0.1", null, List.of(), false),
        new Ports.Timeouts(patience, patience, patience, Duration.ofSeconds(5)));
  }

  /** With clients that may take hours, unless the test says that these are over. */
  static TestDoor patient(Path data) throws StartException {
    Duration hours = Duration.ofHours(10);
    return new TestDoor(
        options(data, "127.0.0.1", null, List.of(), false),
        new Ports.Timeouts(hours, hours, Duration.ofHours(1), hours));
  }

  static TestDoor open(Path data) throws StartException {
    return open(data, options -> options);
  }

  static TestDoor open(Path data, UnaryOperator<ServerOptions> change) throws StartException {
    return new TestDoor(
        change.apply(options(data, "127.0.0.1", null, List.of(), false)), Ports.Timeouts.DEFAULT);
  }

  static ServerOptions options(
      Path data, String host, String token, List<String> trust, boolean insecure) {
    return new ServerOptions(
        data, host, 0, 0, 0, token, trust, insecure, null, List.of(), Scrape.DEFAULT);
  }

  private CompletionStage<Receipt> remember(Incoming incoming) {
    taken.add(incoming);
    return CompletableFuture.completedFuture(Receipt.ALL_TAKEN);
  }

  /** As if nothing had happened. */
  void forget() {
    taken.clear();
    intake = this::remember;
  }

  HttpRequest.Builder api(String path) {
    return HttpRequest.newBuilder(URI.create(door.url() + path));
  }

  HttpRequest.Builder otlp(String path) {
    return HttpRequest.newBuilder(URI.create(door.otlpHttp() + path));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(api(path));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<byte[]> sendForBytes(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  @Override
  public void close() {
    scraping.close();
    door.close();
  }
}
