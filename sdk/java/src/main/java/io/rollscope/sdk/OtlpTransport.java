package io.rollscope.sdk;

import io.rollscope.sdk.internal.send.BoundedBody;
import io.rollscope.sdk.internal.send.PartialSuccess;
import io.rollscope.sdk.internal.send.RetryAfter;
import io.rollscope.sdk.internal.span.Values;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;

/** Sends to a collector by OTLP over HTTP: Rollscope's, or any other. */
public final class OtlpTransport implements Transport {
  private static final int MAX_ANSWER = 1 << 20;
  private static final Set<String> PROTOBUF =
      Set.of("", "application/x-protobuf", "application/protobuf", "application/octet-stream");

  private final HttpClient client;
  private final Map<Signal, HttpRequest.Builder> requests = new EnumMap<>(Signal.class);
  private final boolean gzip;
  private final Duration timeout;

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
    timeout = setup.timeout();
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
      answer = exchange(request);
    } catch (ProtocolException e) {
      return unclear(request, "no HTTP, or too much of it");
    } catch (IOException e) {
      return Sent.later(null, request.uri() + " does not answer (" + e + ")");
    }
    return switch (answer.statusCode()) {
      case 200, 202, 204 ->
          arrived(request, answer)
              .wantingStack(answer.headers().firstValue("rollscope-want-stack").orElse(""));
      case 408, 429, 502, 503, 504 ->
          Sent.later(
              answer.headers().firstValue("Retry-After").map(RetryAfter::parse).orElse(null),
              said(request, answer));
      default -> Sent.refused(said(request, answer));
    };
  }

  /** In at most the timeout; the client's own ends with the headers. */
  private HttpResponse<byte[]> exchange(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(MAX_ANSWER));
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer within " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof ProtocolException protocol) {
          throw protocol;
        }
      }
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  /** A page of some other server, with status 200, is no delivery. */
  private static Sent arrived(HttpRequest request, HttpResponse<byte[]> answer) {
    byte[] body = answer.body();
    String header = answer.headers().firstValue("Content-Type").orElse("");
    String type = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    try {
      if (PROTOBUF.contains(type) || body.length == 0 && !type.equals("text/html")) {
        return PartialSuccess.read(body);
      }
      if (type.equals("application/json")) {
        return PartialSuccess.readJson(body);
      }
      return unclear(request, Values.cut(type, 100));
    } catch (ProtocolException e) {
      return unclear(request, "bytes that are no export response");
    }
  }

  private static Sent unclear(HttpRequest request, String what) {
    return Sent.unclear(
        request.uri()
            + " answers with "
            + what
            + " (expected: OTLP; is this the port of an OTLP receiver?)");
  }

  private static String said(HttpRequest request, HttpResponse<byte[]> answer) {
    String message = PartialSuccess.statusMessage(answer.body());
    return request.uri()
        + " answers "
        + answer.statusCode()
        + (message.isEmpty() ? "" : ": " + message);
  }

  private static byte[] compressed(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }
}
