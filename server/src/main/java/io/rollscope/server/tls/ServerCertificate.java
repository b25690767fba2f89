package io.rollscope.server.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The certificate in use. When its files change they are read again; while what they hold cannot be
 * used, the last good one stays in use.
 */
public final class ServerCertificate implements TlsProvider {
  private final CertificateFiles files;
  private final Supplier<Instant> clock;
  private final Consumer<String> log;
  private volatile TlsKeyPair current;
  private volatile String problem;
  private CertificateFiles.Version seen;

  private ServerCertificate(
      CertificateFiles files, Supplier<Instant> clock, Consumer<String> log, TlsKeyPair first) {
    this.files = files;
    this.clock = clock;
    this.log = log;
    this.current = first;
  }

  /**
   * Reads the files for the first time.
   *
   * @param log takes lines for the operator
   */
  public static ServerCertificate open(
      CertificateFiles files, Supplier<Instant> clock, Consumer<String> log)
      throws CertificateException {
    CertificateFiles.Version version = files.version();
    ServerCertificate opened = new ServerCertificate(files, clock, log, files.read(clock.get()));
    opened.seen = version;
    return opened;
  }

  /** Looks whether the files have changed, or the certificate has expired. */
  public synchronized void look() {
    CertificateFiles.Version now = files.version();
    String before = problem;
    if (!now.equals(seen)) {
      seen = now;
      try {
        TlsKeyPair fresh = files.read(clock.get());
        boolean other = !fresh.equals(current);
        current = fresh;
        problem = null;
        if (other) {
          log.accept("tls: the certificate is " + files.certificate() + " as it is now");
        }
      } catch (CertificateException e) {
        problem = e.getMessage() + "; the one from before stays in use";
      }
    } else if (problem == null) {
      problem = expiry();
    }
    if (problem != null && !Objects.equals(problem, before)) {
      log.accept("tls: " + problem);
    }
  }

  private String expiry() {
    try {
      files.checkTime(current.certificateChain().get(0), clock.get());
      return null;
    } catch (CertificateException e) {
      return e.getMessage();
    }
  }

  /** What is wrong with the files now. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public TlsKeyPair keyPair(String hostname) {
    return current;
  }
}
