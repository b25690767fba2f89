package io.rollscope.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;

/** An HTTP server that gives prepared answers in the place of the API, gzipped as the real one. */
public final class FakeServer implements Closeable {
  private record Answer(int status, String body) {}

  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Answer> queries = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** Starts at this port; 0 for a free one. */
  public FakeServer(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public FakeServer() throws IOException {
    this(0);
  }

  /** What GET or POST of a path, percent-encoded and without a query, is answered with. */
  public FakeServer on(String path, int status, String body) {
    answers.put(path, new Answer(status, body));
    return this;
  }

  /** What is answered whenever the query ends so, whatever the path. */
  public void onQuery(String end, String body) {
    queries.put(end, new Answer(200, body));
  }

  public FakeServer on(String path, String body) {
    return on(path, 200, body);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** Requests so far: method, path with query, token, body. */
  public List<String> requests() {
    return requests;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body =
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).strip();
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add(
          (exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + (token == null ? "" : " " + token)
                  + " "
                  + body)
              .strip());
      Answer answer = answerTo(exchange.getRequestURI());
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
        gzip.write(answer.body().getBytes(StandardCharsets.UTF_8));
      }
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      exchange.sendResponseHeaders(answer.status(), zipped.size());
      exchange.getResponseBody().write(zipped.toByteArray());
    }
  }

  private Answer answerTo(URI asked) {
    String query = String.valueOf(asked.getRawQuery());
    return queries.entrySet().stream()
        .filter(e -> query.endsWith(e.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(
            () ->
                answers.getOrDefault(
                    asked.getRawPath(), new Answer(404, "<html>not found</html>")));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
