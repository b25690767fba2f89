package io.rollscope.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.server.Collector;
import io.rollscope.server.ServerOptions;
import io.rollscope.server.StartException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real collector, which can be stopped and brought back at the same address. */
final class TestServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path data;
  private final String token;
  private Collector collector;
  private int otlpPort;

  private final List<ServerOptions.WatchedFolder> watched;

  private TestServer(Path data, String token, Path... folders) throws StartException {
    this.data = data;
    this.token = token;
    watched =
        java.util.Arrays.stream(folders)
            .map(f -> new ServerOptions.WatchedFolder(f, null, null))
            .toList();
    start();
  }

  static TestServer start(Path data) throws StartException {
    return new TestServer(data, null);
  }

  static TestServer watching(Path data, Path folder) throws StartException {
    return new TestServer(data, null, folder);
  }

  static TestServer withToken(Path data, String token) throws StartException {
    return new TestServer(data, token);
  }

  void start() throws StartException {
    ServerOptions usual = ServerOptions.defaults(data);
    collector =
        Collector.start(
            new ServerOptions(
                data,
                usual.host(),
                0,
                otlpPort,
                0,
                token,
                List.of(),
                false,
                null,
                watched,
                usual.scrape(),
                usual.outward()));
    otlpPort = collector.otlpHttp().getPort();
  }

  void stop() throws IOException {
    collector.close();
  }

  String endpoint() {
    return "127.0.0.1:" + otlpPort;
  }

  /** The answer of an API path below the run. */
  JsonNode run(String run, String path) throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(run, StandardCharsets.UTF_8).replace("+", "%20");
    return ask(
        HttpRequest.newBuilder(URI.create(collector.url() + "/api/v1/runs/" + encoded + path)));
  }

  private JsonNode ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<byte[]> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    return JSON.readTree(answer.body());
  }

  /** Rows of a query as text, columns joined by a bar. */
  List<String> sql(String sql) throws IOException, InterruptedException {
    JsonNode answer =
        ask(
            HttpRequest.newBuilder(URI.create(collector.url() + "/api/v1/query"))
                .POST(
                    HttpRequest.BodyPublishers.ofByteArray(
                        JSON.writeValueAsBytes(java.util.Map.of("sql", sql)))));
    if (!answer.has("rows")) {
      throw new IllegalStateException(answer.toString());
    }
    List<String> rows = new ArrayList<>();
    for (JsonNode row : answer.get("rows")) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.isNull() ? "-" : cell.asText()));
      rows.add(String.join("|", cells));
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    collector.close();
  }
}
