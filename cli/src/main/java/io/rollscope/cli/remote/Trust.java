package io.rollscope.cli.remote;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Which certificates of servers are believed. Nothing is read before a server with TLS is asked.
 */
public final class Trust {
  /** What the platform believes. */
  public static final Trust USUAL = new Trust(null, null, false);

  private final String option;
  private final Path file;
  private final boolean exact;

  private Trust(String option, Path file, boolean exact) {
    this.option = option;
    this.file = file;
    this.exact = exact;
  }

  /**
   * Certificates that those of a PEM file vouch for, under the names they are made out for.
   *
   * @param option what the user gave the file as, for the complaint
   */
  public static Trust authorities(String option, Path file) {
    return new Trust(option, file, false);
  }

  /**
   * The first certificate of a PEM file and no other, whatever the server is called: for a server
   * of this machine, whose file is known.
   */
  public static Trust exactly(Path file) {
    return new Trust("certificate", file, true);
  }

  /** For clients; null for what the platform believes. */
  public SSLContext context() {
    if (file == null) {
      return null;
    }
    try {
      Collection<? extends Certificate> certificates = certificates();
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManager[] managers =
          exact
              ? new TrustManager[] {new OnlyOne(certificates.iterator().next())}
              : authorities(certificates);
      context.init(null, managers, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw wrong(e);
    }
  }

  private Failure wrong(Exception cause) {
    return new Failure(option + ": " + file + " (expected: certificates in PEM form)", cause);
  }

  private Collection<? extends Certificate> certificates()
      throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw wrong(null);
      }
      return found;
    }
  }

  private static TrustManager[] authorities(Collection<? extends Certificate> certificates)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("ca-" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Believes one certificate. */
  private static final class OnlyOne extends X509ExtendedTrustManager {
    private final Certificate known;

    OnlyOne(Certificate known) {
      this.known = known;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      if (chain.length == 0 || !chain[0].equals(known)) {
        throw new CertificateException("not the certificate of the server's data folder");
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
