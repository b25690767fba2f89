package io.rollscope.sdk;

import io.rollscope.sdk.internal.send.PartialSuccess;
import io.rollscope.sdk.internal.send.RetryAfter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;

/** Sends to a collector by OTLP over HTTP: Rollscope's, or any other. */
public final class OtlpTransport implements Transport {
  private static final int MAX_MESSAGE = 500;

  private final HttpClient client;
  private final Map<Signal, HttpRequest.Builder> requests = new EnumMap<>(Signal.class);
  private final boolean gzip;

  /**
   * How to reach a collector.
   *
   * @param endpoints the whole address for each signal
   * @param headers sent with every request
   * @param tls whom to trust, or null for what the platform trusts
   */
  public record Setup(
      Map<Signal, URI> endpoints,
      Map<String, String> headers,
      Duration timeout,
      boolean gzip,
      SSLContext tls) {}

  public OtlpTransport(Setup setup) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(setup.timeout());
    if (setup.tls() != null) {
      builder.sslContext(setup.tls());
    }
    client = builder.build();
    gzip = setup.gzip();
    for (Signal signal : Signal.values()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(setup.endpoints().get(signal)).timeout(setup.timeout());
      setup.headers().forEach(request::setHeader);
      request.setHeader("Content-Type", "application/x-protobuf");
      if (gzip) {
        request.setHeader("Content-Encoding", "gzip");
      }
      requests.put(signal, request);
    }
  }

  @Override
  public Sent send(Signal signal, byte[] body) throws IOException, InterruptedException {
    byte[] bytes = gzip ? compressed(body) : body;
    HttpRequest request =
        requests.get(signal).POST(HttpRequest.BodyPublishers.ofByteArray(bytes)).build();
    HttpResponse<byte[]> answer;
    try {
      answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      return Sent.later(null, request.uri() + " does not answer (" + e + ")");
    }
    return switch (answer.statusCode()) {
      case 200, 202, 204 -> PartialSuccess.read(answer.body());
      case 429, 502, 503, 504 ->
          Sent.later(
              answer.headers().firstValue("Retry-After").map(RetryAfter::parse).orElse(null),
              said(request, answer));
      default -> Sent.refused(said(request, answer));
    };
  }

  private static String said(HttpRequest request, HttpResponse<byte[]> answer) {
    String message = PartialSuccess.statusMessage(answer.body());
    String cut = message.substring(0, Math.min(message.length(), MAX_MESSAGE));
    return request.uri() + " answers " + answer.statusCode() + (cut.isEmpty() ? "" : ": " + cut);
  }

  private static byte[] compressed(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }
}
