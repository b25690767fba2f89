package io.rollscope.server.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate and its key as PEM files.
 *
 * @param certificate the server's own first, then those that vouch for it
 */
public record CertificateFiles(Path certificate, Path key) {
  private static final String CERTIFICATE = "tls-cert";
  private static final String KEY = "tls-key";
  private static final byte[] PROBE = {1, 2, 3};

  /** What tells one state of the files from the next. */
  record Version(List<Object> facts) {}

  Version version() {
    return new Version(List.of(facts(certificate), facts(key)));
  }

  private static Object facts(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    } catch (IOException e) {
      return "missing";
    }
  }

  /** Reads both and makes sure that clients can use them now. */
  TlsKeyPair read(Instant now) throws CertificateException {
    byte[] chain = bytes(CERTIFICATE, certificate);
    byte[] secret = bytes(KEY, key);
    X509Certificate own = own(chain);
    checkTime(own, now);
    TlsKeyPair pair;
    try {
      pair = TlsKeyPair.of(new ByteArrayInputStream(secret), new ByteArrayInputStream(chain));
    } catch (RuntimeException e) {
      throw new CertificateException(KEY, key, "a private key in PEM form, without a password", e);
    }
    if (!belong(pair.privateKey(), own.getPublicKey())) {
      throw new CertificateException(
          KEY, key + " does not belong to " + certificate, "the key of that certificate", null);
    }
    return pair;
  }

  /** Fails when a certificate is not valid yet, or no longer. */
  void checkTime(X509Certificate own, Instant now) throws CertificateException {
    if (now.isAfter(own.getNotAfter().toInstant())) {
      throw new CertificateException(
          CERTIFICATE,
          certificate + " expired on " + own.getNotAfter().toInstant(),
          "a certificate that is valid now",
          null);
    }
    if (now.isBefore(own.getNotBefore().toInstant())) {
      throw new CertificateException(
          CERTIFICATE,
          certificate + " is not valid before " + own.getNotBefore().toInstant(),
          "a certificate that is valid now",
          null);
    }
  }

  private static byte[] bytes(String what, Path file) throws CertificateException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CertificateException(what, file, "a PEM file that can be read", e);
    }
  }

  private X509Certificate own(byte[] chain) throws CertificateException {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(chain))
          .stream()
          .findFirst()
          .map(X509Certificate.class::cast)
          .orElseThrow(() -> notPem(null));
    } catch (java.security.cert.CertificateException e) {
      throw notPem(e);
    }
  }

  private CertificateException notPem(Throwable cause) {
    return new CertificateException(CERTIFICATE, certificate, "a certificate in PEM form", cause);
  }

  private static boolean belong(PrivateKey secret, PublicKey open) {
    if (!secret.getAlgorithm().equals(open.getAlgorithm())) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(algorithm(open));
      signature.initSign(secret);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(open);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String algorithm(PublicKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }
}
