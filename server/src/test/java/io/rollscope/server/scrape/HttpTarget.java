package io.rollscope.server.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A target that answers what a test wants. */
public final class HttpTarget implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile HttpHandler handler;

  public HttpTarget() throws IOException {
    this(0);
  }

  /** One that comes back on the same port. */
  public HttpTarget(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          handler.handle(exchange);
        });
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String address() {
    return "127.0.0.1:" + port();
  }

  public int asked() {
    return asked.get();
  }

  public HttpTarget exposes(String... lines) {
    return answers(200, "text/plain; version=0.0.4", String.join("\n", lines) + "\n");
  }

  public HttpTarget answers(int status, String type, String body) {
    handler = exchange -> answer(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  public HttpTarget handles(HttpHandler given) {
    handler = given;
    return this;
  }

  public static void answer(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
