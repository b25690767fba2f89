package io.rollscope.server.tail;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.rollscope.store.Incoming;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLContext;

/** Sends parts to a server's OTLP/HTTP address, a few at a time, again when it asks for that. */
final class Posts implements Outlet, Closeable {
  private static final int MAX_IN_FLIGHT = 4;
  private static final int MAX_ATTEMPTS = 100;
  private static final int MAX_UNREACHABLE = 5;
  private static final int MAX_REASONS = 100;
  private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private record Pending(Part part, CompletableFuture<HttpResponse<byte[]>> response) {}

  private final HttpClient client;
  private final Queue<Pending> inFlight = new ArrayDeque<>();
  private final String server;
  private final String token;
  private final Waiting waiting;
  private long spans;
  private final Map<String, Long> rejected = new TreeMap<>();

  /**
   * @param tls whom to trust, or null for what the platform trusts
   */
  Posts(URI server, String token, SSLContext tls, Waiting waiting) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
    this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    this.server = server.toString().replaceAll("/+$", "");
    this.token = token;
    this.waiting = waiting;
  }

  @Override
  public void send(Part part) {
    if (inFlight.size() >= MAX_IN_FLIGHT) {
      await(inFlight.remove());
    }
    inFlight.add(new Pending(part, post(part)));
  }

  @Override
  public void drain() {
    while (!inFlight.isEmpty()) {
      await(inFlight.remove());
    }
  }

  /** Those that arrived. */
  long spans() {
    return spans;
  }

  Map<String, Long> rejected() {
    return Map.copyOf(rejected);
  }

  private CompletableFuture<HttpResponse<byte[]>> post(Part part) {
    String path = "/v1/" + part.signal().name().toLowerCase(Locale.ROOT);
    int length = part.bytes().length - Incoming.HEAD;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(part.bytes(), Incoming.HEAD, length));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofByteArray());
  }

  private void await(Pending pending) {
    CompletableFuture<HttpResponse<byte[]>> sent = pending.response();
    Duration pause = FIRST_PAUSE;
    int unreachable = 0;
    for (int attempt = 1; ; attempt++) {
      Duration wanted = Duration.ZERO;
      try {
        HttpResponse<byte[]> response = sent.join();
        if (response.statusCode() == 200) {
          arrived(pending.part(), response.body());
          return;
        }
        if (!RETRYABLE.contains(response.statusCode()) || attempt == MAX_ATTEMPTS) {
          throw new UndeliveredException(refusal(response), null);
        }
        wanted = retryAfter(response);
      } catch (CompletionException e) {
        if (++unreachable == MAX_UNREACHABLE || !(e.getCause() instanceof IOException)) {
          throw new UndeliveredException(
              "server: "
                  + server
                  + " cannot be reached: "
                  + e.getCause()
                  + " (expected: to answer)",
              e.getCause());
        }
      }
      if (waiting.passes(wanted.compareTo(pause) > 0 ? wanted : pause)) {
        throw UndeliveredException.stopped();
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
      sent = post(pending.part());
    }
  }

  private String refusal(HttpResponse<byte[]> response) {
    String hint = response.statusCode() == 401 ? "the server's token" : "an OTLP/HTTP address";
    return "server: " + server + " answered " + response.statusCode() + " (expected: " + hint + ")";
  }

  /** In seconds, as servers send it; a date is not worth its trouble here. */
  private static Duration retryAfter(HttpResponse<?> response) {
    String text = response.headers().firstValue("Retry-After").orElse("");
    Duration wanted =
        text.matches("\\d{1,5}") ? Duration.ofSeconds(Long.parseLong(text)) : Duration.ZERO;
    return wanted.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wanted;
  }

  private void arrived(Part part, byte[] body) {
    spans += part.spans();
    try {
      switch (part.signal()) {
        case TRACES -> {
          var partial = ExportTraceServiceResponse.parseFrom(body).getPartialSuccess();
          reject(partial.getErrorMessage(), partial.getRejectedSpans());
        }
        case LOGS -> {
          var partial = ExportLogsServiceResponse.parseFrom(body).getPartialSuccess();
          reject(partial.getErrorMessage(), partial.getRejectedLogRecords());
        }
        case METRICS -> {
          var partial = ExportMetricsServiceResponse.parseFrom(body).getPartialSuccess();
          reject(partial.getErrorMessage(), partial.getRejectedDataPoints());
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new UndeliveredException(
          "server: " + server + " answered something else (expected: an OTLP/HTTP address)", e);
    }
  }

  private void reject(String reason, long count) {
    if (count > 0) {
      boolean room = rejected.size() < MAX_REASONS || rejected.containsKey(reason);
      rejected.merge(room ? reason : "(other)", count, Long::sum);
    }
  }

  /** Forgets what has not arrived. */
  @Override
  public void close() {
    inFlight.forEach(p -> p.response().cancel(true));
    inFlight.clear();
  }
}
