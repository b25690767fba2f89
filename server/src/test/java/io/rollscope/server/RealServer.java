package io.rollscope.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.otlp.TraceRequestBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A collector with a store, on free ports, and a client for it. */
final class RealServer implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final ObjectMapper JSON = new ObjectMapper();

  final Collector collector;

  private RealServer(Collector collector) {
    this.collector = collector;
  }

  static RealServer start(Path data, String... forward) throws StartException {
    List<URI> urls = List.of(forward).stream().map(URI::create).toList();
    return new RealServer(
        Collector.start(
            new ServerOptions(
                data,
                "127.0.0.1",
                0,
                0,
                0,
                null,
                List.of(),
                false,
                null,
                List.of(),
                ServerOptions.Scrape.DEFAULT,
                new ServerOptions.Outward("ns", urls, Map.of("x-key", "k")))));
  }

  String text(String path) throws IOException, InterruptedException {
    return get(path, "*/*").body();
  }

  HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(collector.url() + path)).header("Accept", accept).build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  JsonNode json(String path) throws IOException, InterruptedException {
    return JSON.readTree(text("/api/v1/" + path));
  }

  int post(String path, byte[] protobuf) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(collector.otlpHttp() + path))
            .header("Content-Type", "application/x-protobuf")
            .POST(HttpRequest.BodyPublishers.ofByteArray(protobuf))
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** A request of one trace with so many spans that ended just now. */
  static byte[] spans(long trace, int count) {
    TraceRequestBuilder request = new TraceRequestBuilder().resource();
    request.attribute("service.name", "trainer").attribute("rl.run.id", "r");
    long now = System.currentTimeMillis() * 1_000_000;
    for (int i = 1; i <= count; i++) {
      request.span(trace, trace, i, i == 1 ? 0 : 1, "generate", now - 2_000_000_000L, now);
    }
    return request.build();
  }

  /** The value of a line of {@code /metrics} that begins like this; NaN if there is none. */
  double metric(String line) throws IOException, InterruptedException {
    return text("/metrics")
        .lines()
        .filter(l -> l.startsWith(line))
        .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  @Override
  public void close() throws IOException {
    collector.close();
  }
}
