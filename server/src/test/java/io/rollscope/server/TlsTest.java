package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.rollscope.server.TestCertificates.Pem;
import io.rollscope.server.tls.CertificateFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All ports with a certificate, and real clients. */
class TlsTest {
  private static final String TOKEN = "a-token-of-the-operator";

  @TempDir private static Path folder;
  private static Pem first;
  private static Pem second;
  private static Pem expired;
  private static Path certificate;
  private static Path key;
  private static TestDoor door;
  private static HttpClient client;

  @BeforeAll
  static void open() throws Exception {
    first = TestCertificates.make(folder, "first");
    second = TestCertificates.make(folder, "second");
    expired = TestCertificates.expired(folder, "expired");
    certificate = folder.resolve("server.crt");
    key = folder.resolve("server.key");
    install(first);
    Path data = Files.createDirectories(folder.resolve("data"));
    door =
        TestDoor.open(
            data,
            options ->
                TestDoor.options(data, "127.0.0.1", TOKEN, List.of(), false)
                    .with(new CertificateFiles(certificate, key)));
    client = client(HttpClient.Version.HTTP_2);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  private static HttpClient client(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(
            TestCertificates.trusting(
                first.certificate(), second.certificate(), expired.certificate()))
        .build();
  }

  /** As certbot does: a new file takes the place of the old. */
  private static void install(Pem pem) throws IOException {
    install(pem.certificate(), certificate);
    install(pem.key(), key);
  }

  private static void install(Path from, Path to) throws IOException {
    Path fresh = Files.copy(from, folder.resolve("fresh"), StandardCopyOption.REPLACE_EXISTING);
    Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static HttpRequest.Builder request(URI server, String path) {
    return HttpRequest.newBuilder(URI.create(server + path))
        .header("Authorization", "Bearer " + TOKEN);
  }

  private static HttpResponse<String> get(HttpClient with, URI server, String path)
      throws Exception {
    return with.send(request(server, path).build(), BodyHandlers.ofString());
  }

  @Test
  void pageAndApiSpeakHttp2AndHttp1OverTls() throws Exception {
    assertThat(door.door.url().getScheme()).isEqualTo("https");
    HttpResponse<String> answer = get(client, door.door.url(), "/api/v1/runs");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);

    HttpResponse<String> old =
        get(client(HttpClient.Version.HTTP_1_1), door.door.url(), "/healthz");
    assertThat(old.statusCode()).isEqualTo(200);
    assertThat(old.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
  }

  @Test
  void otlpOverHttpIsTakenOverHttp2() throws Exception {
    HttpResponse<String> answer =
        client.send(
            request(door.door.otlpHttp(), "/v1/traces")
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(TestSpans.request(TestSpans.span(1))))
                .build(),
            BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
  }

  private static void export(SpanExporter exporter, String name) {
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build()) {
      provider.get("test").spanBuilder(name).startSpan().end();
      assertThat(provider.forceFlush().join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
    }
    assertThat(door.taken)
        .anyMatch(taken -> taken.request().spans().stream().anyMatch(s -> s.name().equals(name)));
  }

  @Test
  void openTelemetrysExporterSendsByHttp() throws Exception {
    export(
        OtlpHttpSpanExporter.builder()
            .setEndpoint(door.door.otlpHttp() + "/v1/traces")
            .setTrustedCertificates(Files.readAllBytes(first.certificate()))
            .addHeader("Authorization", "Bearer " + TOKEN)
            .setTimeout(Duration.ofMinutes(1))
            .build(),
        "by http");
  }

  @Test
  void openTelemetrysExporterSendsByGrpc() throws Exception {
    export(
        OtlpGrpcSpanExporter.builder()
            .setEndpoint("https://" + door.door.otlpGrpc())
            .setTrustedCertificates(Files.readAllBytes(first.certificate()))
            .addHeader("Authorization", "Bearer " + TOKEN)
            .setTimeout(Duration.ofMinutes(1))
            .build(),
        "by grpc");
  }

  @Test
  void portsTakeNothingWithoutTls() {
    int grpc = URI.create("http://" + door.door.otlpGrpc()).getPort();
    for (int port : List.of(door.door.url().getPort(), door.door.otlpHttp().getPort(), grpc)) {
      assertThatThrownBy(() -> RawHttp.get(port, "/healthz", "Host: localhost"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void cookieIsForTlsOnly() throws Exception {
    HttpResponse<String> answer =
        client.send(
            request(door.door.url(), "/api/v1/login")
                .POST(BodyPublishers.ofString("{\"token\":\"" + TOKEN + "\"}"))
                .build(),
            BodyHandlers.ofString());

    assertThat(answer.headers().firstValue("set-cookie").orElseThrow()).endsWith("; Secure");
  }

  private static Certificate shown() throws Exception {
    SSLContext context =
        TestCertificates.trusting(first.certificate(), second.certificate(), expired.certificate());
    try (SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket("127.0.0.1", door.door.url().getPort())) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  /** Certificates are renewed every few weeks; nobody wants to restart a collector for that. */
  @Test
  void newCertificateIsUsedAndABadOneIsNot() throws Exception {
    try {
      install(second);
      door.door.tick();
      assertThat(shown()).isEqualTo(TestCertificates.read(second.certificate()));
      assertThat(ready()).isEqualTo("{\"status\":\"ok\"}");

      install(expired);
      door.door.tick();
      assertThat(shown()).isEqualTo(TestCertificates.read(second.certificate()));
      assertThat(ready()).contains("\"status\":\"ok\"").contains("expired on ").contains("stays");

      install(first.certificate(), certificate);
      install(second.key(), key);
      door.door.tick();
      assertThat(shown()).isEqualTo(TestCertificates.read(second.certificate()));
      assertThat(ready()).contains("does not belong to");

      Files.delete(key);
      door.door.tick();
      assertThat(shown()).isEqualTo(TestCertificates.read(second.certificate()));
      assertThat(ready()).contains("a PEM file that can be read");
    } finally {
      install(first);
      door.door.tick();
    }
    assertThat(shown()).isEqualTo(TestCertificates.read(first.certificate()));
    assertThat(ready()).isEqualTo("{\"status\":\"ok\"}");
  }

  private static String ready() throws Exception {
    return get(client(HttpClient.Version.HTTP_1_1), door.door.url(), "/readyz").body();
  }

  private static void refused(Path certificate, Path key, String message) throws IOException {
    Path data = Files.createDirectories(folder.resolve("refused"));
    assertThatThrownBy(
            () ->
                TestDoor.open(
                    data, options -> options.with(new CertificateFiles(certificate, key))))
        .isInstanceOf(StartException.class)
        .hasMessage(message);
  }

  @Test
  void certificateThatClientsCouldNotUseIsRefusedAtTheStart() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage"), "no PEM");
    Path missing = folder.resolve("missing");
    String until =
        ((java.security.cert.X509Certificate) TestCertificates.read(expired.certificate()))
            .getNotAfter()
            .toInstant()
            .toString();

    refused(
        expired.certificate(),
        expired.key(),
        "tls-cert: %s expired on %s (expected: a certificate that is valid now)"
            .formatted(expired.certificate(), until));
    refused(
        first.certificate(),
        second.key(),
        "tls-key: %s does not belong to %s (expected: the key of that certificate)"
            .formatted(second.key(), first.certificate()));
    refused(
        garbage,
        first.key(),
        "tls-cert: %s (expected: a certificate in PEM form)".formatted(garbage));
    refused(
        first.certificate(),
        garbage,
        "tls-key: %s (expected: a private key in PEM form, without a password)".formatted(garbage));
    refused(
        missing,
        first.key(),
        "tls-cert: %s (expected: a PEM file that can be read)".formatted(missing));
    refused(
        first.certificate(),
        missing,
        "tls-key: %s (expected: a PEM file that can be read)".formatted(missing));
  }
}
