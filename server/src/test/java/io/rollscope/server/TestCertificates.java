package io.rollscope.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates for localhost, made by the JDK's keytool, as PEM files. */
final class TestCertificates {
  private static final char[] PASSWORD = "password".toCharArray();

  private TestCertificates() {}

  /** A certificate that vouches for itself, and its key. */
  record Pem(Path certificate, Path key) {}

  /** Valid now. */
  static Pem make(Path folder, String name) throws Exception {
    return make(folder, name, "-1d", 30);
  }

  static Pem expired(Path folder, String name) throws Exception {
    return make(folder, name, "-10d", 5);
  }

  private static Pem make(Path folder, String name, String start, int days) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-J-XX:TieredStopAtLevel=1",
                    "-genkeypair",
                    "-alias",
                    "one",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=dns:localhost,ip:127.0.0.1",
                    "-ext",
                    "bc=ca:true",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-startdate",
                    start,
                    "-validity",
                    Integer.toString(days),
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IOException("keytool: " + output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Key key = keys.getKey("one", PASSWORD);
    return new Pem(
        write(
            folder.resolve(name + ".crt"), "CERTIFICATE", keys.getCertificate("one").getEncoded()),
        write(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()));
  }

  private static Path write(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  static Certificate read(Path pem) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(pem)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  /** For clients that trust these and no others. */
  static SSLContext trusting(Path... pems) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (Path pem : pems) {
      store.setCertificateEntry(pem.toString(), read(pem));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), new SecureRandom());
    return context;
  }
}
