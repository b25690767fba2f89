package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.cli.config.Settings;
import io.rollscope.cli.process.ForegroundServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and a real server with a certificate that only its owner vouches for. */
class TlsServerTest {
  private static final String PASSWORD = "password";

  @TempDir private static Path folder;
  private static Path data;
  private static Path certificate;
  private static Path key;
  private static ForegroundServer server;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    makeCertificate();
    data = folder.resolve("data");
    Map<String, List<String>> flags =
        Map.of(
            "data", List.of(data.toString()),
            "port", List.of("0"),
            "otlp-http-port", List.of("0"),
            "otlp-grpc-port", List.of("0"),
            "tls-cert", List.of(certificate.toString()),
            "tls-key", List.of(key.toString()));
    Settings settings = Settings.gather(flags, Map.of(), flags.keySet(), Set.of());
    server = ForegroundServer.start(settings, Map.of(), List.of(), null, null, "0.1.0");
    url = server.report().url();
  }

  @AfterAll
  static void close() throws IOException {
    server.close();
  }

  private static void makeCertificate() throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "one",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    certificate = write("server.crt", "CERTIFICATE", keys.getCertificate("one").getEncoded());
    key =
        write("server.key", "PRIVATE KEY", keys.getKey("one", PASSWORD.toCharArray()).getEncoded());
  }

  private static Path write(String name, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  @Test
  void commandsTalkToItWhenTheyAreToldWhomToTrust() throws IOException {
    assertThat(url).startsWith("https://127.0.0.1:");

    CommandRun query = CommandRun.of("query", "select 1 as one", "--url", url, "--ca", certificate);
    assertThat(query.err()).isEmpty();
    assertThat(query.code()).isZero();
    assertThat(query.out()).contains("one");

    Path traces = Traces.xtuner(folder, "run");
    CommandRun sent = CommandRun.of("import", traces, "--url", url, "--ca", certificate, "--quiet");
    assertThat(sent.err()).isEmpty();
    assertThat(sent.code()).isZero();
    CommandRun read = CommandRun.of("sessions", url, "--ca", certificate);
    assertThat(read.code()).as(read.err()).isZero();
  }

  @Test
  void strangersCertificateIsAnErrorOfOneLine() {
    CommandRun query = CommandRun.of("query", "select 1", "--url", url);

    assertThat(query.code()).isEqualTo(1);
    assertThat(query.errLines()).hasSize(1);
    assertThat(query.err())
        .startsWith("rollscope: server: " + url + " shows a certificate that is not trusted (")
        .contains("(expected: one that --ca or ROLLSCOPE_CA vouches for)");
  }

  @Test
  void fileThatHoldsNoCertificatesIsNamed() throws IOException {
    Path garbage = Files.writeString(folder.resolve("garbage.pem"), "no PEM");
    CommandRun query = CommandRun.of("query", "select 1", "--url", url, "--ca", garbage);

    assertThat(query.code()).isEqualTo(1);
    assertThat(query.err())
        .isEqualTo("rollscope: --ca: " + garbage + " (expected: certificates in PEM form)\n");
  }

  /** On its own machine the certificate is known, whatever name it is made out for. */
  @Test
  void statusOfAServerOfThisMachineNeedsNoOption() {
    CommandRun status = CommandRun.of("server", "status", "--data", data);

    assertThat(status.code()).isZero();
    assertThat(status.err()).isEmpty();
    assertThat(status.out()).contains(url);
  }

  @Test
  void certificateWithoutItsKeyIsWrongUsage() {
    CommandRun start =
        CommandRun.of(
            "server", "start", "--data", folder.resolve("other"), "--tls-cert", certificate);

    assertThat(start.code()).isEqualTo(2);
    assertThat(start.errLines().get(0))
        .isEqualTo(
            "rollscope: --tls-cert: "
                + certificate
                + " (expected: --tls-key beside it, the key of that certificate)");
  }
}
