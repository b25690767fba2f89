package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * The HTTP API of one server. Blocking, and on {@link HttpURLConnection} because the JDK's newer
 * client costs more at start than the whole answer.
 */
public final class Api {
  private static final int CONNECT_MS = 5_000;

  /** SQL may take 30 s. */
  private static final int READ_MS = 60_000;

  private static final int MOST_OF_AN_ANSWER = 256 << 20;
  private static final int MOST_OF_AN_ERROR = 64 * 1024;
  private static final String START_ONE = "a running server; rollscope server start starts one";

  private final URI base;
  private final String token;
  private final Trust trust;
  private SSLContext tls;

  /**
   * @param base address of the server
   * @param token what it wants to see, or null
   */
  public Api(URI base, String token, Trust trust) {
    this.base = base;
    this.token = token;
    this.trust = trust;
  }

  public URI base() {
    return base;
  }

  /** What the server wants to see, or null. */
  public String token() {
    return token;
  }

  /** Whom to trust when talking to it; null for what the platform trusts, or without TLS. */
  public synchronized SSLContext tls() {
    if (tls == null && base.getScheme().equals("https")) {
      tls = trust.context();
    }
    return tls;
  }

  /** Fails unless a server is there and lets us in. */
  public void requireAnswer() throws IOException {
    get("/api/v1/runs", Map.of("limit", 1));
  }

  /** An error as the API words it. */
  record ErrorAnswer(ErrorText error) {}

  record ErrorText(String code, String message) {}

  /** Reads what is at a path; parameters that are null are left out. */
  public <T extends Record> T get(String path, Map<String, ?> parameters, Class<T> type)
      throws IOException {
    return parse(get(path, parameters), type);
  }

  /** The same as it came, for those who want to read it twice. */
  byte[] get(String path, Map<String, ?> parameters) throws IOException {
    return call("GET", path + query(parameters), null);
  }

  private static String query(Map<String, ?> parameters) {
    String query =
        parameters.entrySet().stream()
            .flatMap(e -> values(e.getValue()).map(v -> e.getKey() + "=" + encode(v.toString())))
            .collect(Collectors.joining("&"));
    return query.isEmpty() ? "" : "?" + query;
  }

  /** A list is a parameter that occurs several times. */
  private static Stream<?> values(Object value) {
    return value instanceof Collection<?> several ? several.stream() : Stream.ofNullable(value);
  }

  /** Deletes what is at a path. */
  public <T extends Record> T delete(String path, Map<String, ?> parameters, Class<T> type)
      throws IOException {
    return parse(call("DELETE", path + query(parameters), null), type);
  }

  /** Sends a JSON object. */
  public <T extends Record> T post(String path, String body, Class<T> type) throws IOException {
    return parse(call("POST", path, body.getBytes(StandardCharsets.UTF_8)), type);
  }

  /** A text as one part of a path or query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private byte[] call(String method, String path, byte[] body) throws IOException {
    HttpURLConnection connection = open(path);
    try {
      connection.setRequestMethod(method);
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw refused(connection, status);
      }
      return content(connection);
    } catch (ConnectException | NoRouteToHostException e) {
      throw unreachable("does not answer", e);
    } catch (UnknownHostException e) {
      throw unreachable("has an unknown name", e);
    } catch (SocketTimeoutException e) {
      throw unreachable("takes too long to answer", e);
    } catch (SSLHandshakeException e) {
      throw new Failure(
          "server: "
              + base
              + " shows a certificate that is not trusted ("
              + e.getMessage()
              + ") (expected: one that --ca or ROLLSCOPE_CA vouches for)",
          e);
    } catch (SSLException e) {
      throw unreachable("does not speak TLS", e);
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    URL url = URI.create(base + path).toURL();
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    if (connection instanceof HttpsURLConnection secure && tls() != null) {
      secure.setSSLSocketFactory(tls().getSocketFactory());
    }
    connection.setConnectTimeout(CONNECT_MS);
    connection.setReadTimeout(READ_MS);
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("Accept-Encoding", "gzip");
    if (token != null) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    return connection;
  }

  private byte[] content(HttpURLConnection connection) throws IOException {
    try (InputStream in = unzipped(connection, connection.getInputStream())) {
      byte[] content = in.readNBytes(MOST_OF_AN_ANSWER + 1);
      if (content.length > MOST_OF_AN_ANSWER) {
        throw notOurs("answers with more than " + MOST_OF_AN_ANSWER + " bytes", null);
      }
      return content;
    }
  }

  private <T extends Record> T parse(byte[] json, Class<T> type) throws IOException {
    try {
      return JsonRecords.read(json, type);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw notOurs("answers with no JSON", e);
    }
  }

  private static InputStream unzipped(HttpURLConnection connection, InputStream in)
      throws IOException {
    return "gzip".equals(connection.getContentEncoding()) ? new GZIPInputStream(in) : in;
  }

  private RuntimeException refused(HttpURLConnection connection, int status) throws IOException {
    if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      return Failure.of(
          "server",
          base + (token == null ? " wants a token" : " refuses the token"),
          "its token, by --token, ROLLSCOPE_TOKEN or the token file of its data folder");
    }
    String message = messageOf(connection);
    if (message == null) {
      return notOurs("answers with status " + status, null);
    }
    String text = message.contains("(expected:") ? message : "server: " + message;
    return status == HttpURLConnection.HTTP_NOT_FOUND ? new NotFound(text) : new Failure(text);
  }

  private static String messageOf(HttpURLConnection connection) throws IOException {
    InputStream raw = connection.getErrorStream();
    if (raw == null) {
      return null;
    }
    try (InputStream in = unzipped(connection, raw)) {
      byte[] bytes = in.readNBytes(MOST_OF_AN_ERROR);
      ErrorAnswer answer = JsonRecords.read(bytes, ErrorAnswer.class);
      return answer.error() == null ? null : answer.error().message();
    } catch (IOException e) {
      return null;
    }
  }

  private Failure unreachable(String why, IOException cause) {
    return new Failure("server: " + base + " " + why + " (expected: " + START_ONE + ")", cause);
  }

  private Failure notOurs(String what, Throwable cause) {
    return new Failure(
        "server: " + base + " " + what + " (expected: the API of a Rollscope server)", cause);
  }
}
