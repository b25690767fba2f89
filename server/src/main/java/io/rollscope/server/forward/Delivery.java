package io.rollscope.server.forward;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;

/** Sends requests to one OTLP/HTTP backend. */
final class Delivery {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Export responses are short; of errors only the status is used. */
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private static final Set<Integer> TRY_AGAIN = Set.of(408, 429, 502, 503, 504);
  private static final int PARTIAL_SUCCESS = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int REJECTED = ProtoCursor.tagOf(1, ProtoCursor.VARINT);
  private static final long MOST_RETRY_AFTER_S = 300;

  private final HttpClient client;
  private final URI url;
  private final Map<String, String> headers;
  private final Duration patience;

  /**
   * @param patience from the first byte of a request to the last of its answer
   */
  Delivery(URI url, Map<String, String> headers, Duration patience) {
    this.patience = patience;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.url = endpoint(url);
    this.headers = headers;
    headers.forEach(HttpRequest.newBuilder()::setHeader); // Complains about wrong ones.
  }

  /**
   * What became of a request.
   *
   * @param retry whether it may be taken another time
   * @param rejected spans that the backend did not take, if it is not tried again
   * @param failure what is wrong, or null
   */
  record Result(boolean retry, long rejected, long retryAfterMs, String failure) {}

  /** A URL without a path means where OTLP has its spans. */
  private static URI endpoint(URI url) {
    String path = url.getPath();
    boolean bare = path == null || path.isEmpty() || path.equals("/");
    return bare ? url.resolve("/v1/traces") : url;
  }

  /** The URL without what may be secret. */
  String shown() {
    int port = url.getPort();
    return url.getScheme() + "://" + url.getHost() + (port < 0 ? "" : ":" + port) + url.getPath();
  }

  /** Whatever the backend does, this ends in time and keeps little. */
  Result send(Parcel batch) throws InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer = null;
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(url)
              .timeout(patience)
              .header("Content-Type", "application/x-protobuf")
              .header("Content-Encoding", "gzip")
              .POST(HttpRequest.BodyPublishers.ofByteArray(gzip(batch)));
      headers.forEach(request::setHeader);
      answer = client.sendAsync(request.build(), head -> new ShortAnswer(MAX_ANSWER_BYTES));
      return result(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS), batch);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String why =
          cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
      return new Result(true, 0, 0, why);
    } catch (TimeoutException e) {
      return new Result(true, 0, 0, "no answer within " + patience.toSeconds() + " s");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Only memory is written to.
    } finally {
      if (answer != null) {
        answer.cancel(true); // Ends the exchange, if it is still going on.
      }
    }
  }

  private static byte[] gzip(Parcel batch) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(batch.length() / 4);
    try (GZIPOutputStream out = new GZIPOutputStream(bytes, 1 << 16)) {
      out.write(batch.bytes(), batch.from(), batch.length());
    }
    return bytes.toByteArray();
  }

  private static Result result(HttpResponse<byte[]> response, Parcel batch) {
    int status = response.statusCode();
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (status == 200 && type.startsWith("text/html")) {
      return new Result(false, batch.spans(), 0, "answers with a page (expected: OTLP)");
    }
    if (status == 200) {
      return new Result(false, Math.min(batch.spans(), rejected(response.body())), 0, null);
    }
    String why = "answers " + status;
    if (TRY_AGAIN.contains(status)) {
      return new Result(true, 0, retryAfterMs(response), why);
    }
    return new Result(false, batch.spans(), 0, why);
  }

  private static long retryAfterMs(HttpResponse<byte[]> response) {
    String text = response.headers().firstValue("Retry-After").orElse("");
    return text.matches("\\d{1,6}")
        ? Math.min(MOST_RETRY_AFTER_S, Long.parseLong(text)) * 1_000
        : 0;
  }

  /** Of an export response; 0 if it is not one. */
  private static long rejected(byte[] body) {
    long rejected = 0;
    try {
      ProtoCursor c = new ProtoCursor(body, 0, body.length);
      for (int tag = c.tag(); tag != 0; tag = c.tag()) {
        if (tag != PARTIAL_SUCCESS) {
          c.skip(tag);
          continue;
        }
        int outer = c.enter();
        for (int field = c.tag(); field != 0; field = c.tag()) {
          if (field == REJECTED) {
            rejected = Math.max(0, c.varint());
          } else {
            c.skip(field);
          }
        }
        c.leave(outer);
      }
    } catch (MalformedException e) {
      return 0;
    }
    return rejected;
  }
}
