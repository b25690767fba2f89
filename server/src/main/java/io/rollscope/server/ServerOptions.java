package io.rollscope.server;

import io.rollscope.core.metric.MetricNames;
import io.rollscope.server.tls.CertificateFiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How the collector is set up; see contracts.md 1.7, 1.8 and 8.1.
 *
 * @param host address to bind
 * @param port page, API and {@code /metrics}; 0 for a free one, likewise the others
 * @param token what clients must send, or null
 * @param trust networks whose clients need none for what they send, as CIDR
 * @param insecure whether to bind a foreign address without a token
 * @param retention age beyond which data goes, or null to keep everything
 * @param watch folders to follow
 * @param scrape what is scraped, and how
 * @param outward what others get
 * @param tls certificate and key of all ports, or null for ports without TLS
 */
public record ServerOptions(
    Path data,
    String host,
    int port,
    int otlpHttpPort,
    int otlpGrpcPort,
    String token,
    List<String> trust,
    boolean insecure,
    Duration retention,
    List<WatchedFolder> watch,
    Scrape scrape,
    Outward outward,
    CertificateFiles tls) {

  /** Without TLS. */
  public ServerOptions(
      Path data,
      String host,
      int port,
      int otlpHttpPort,
      int otlpGrpcPort,
      String token,
      List<String> trust,
      boolean insecure,
      Duration retention,
      List<WatchedFolder> watch,
      Scrape scrape,
      Outward outward) {
    this(
        data,
        host,
        port,
        otlpHttpPort,
        otlpGrpcPort,
        token,
        trust,
        insecure,
        retention,
        watch,
        scrape,
        outward,
        null);
  }

  /** With TLS on all ports. */
  public ServerOptions with(CertificateFiles files) {
    return new ServerOptions(
        data,
        host,
        port,
        otlpHttpPort,
        otlpGrpcPort,
        token,
        trust,
        insecure,
        retention,
        watch,
        scrape,
        outward,
        files);
  }

  /** With what others usually get. */
  public ServerOptions(
      Path data,
      String host,
      int port,
      int otlpHttpPort,
      int otlpGrpcPort,
      String token,
      List<String> trust,
      boolean insecure,
      Duration retention,
      List<WatchedFolder> watch,
      Scrape scrape) {
    this(
        data,
        host,
        port,
        otlpHttpPort,
        otlpGrpcPort,
        token,
        trust,
        insecure,
        retention,
        watch,
        scrape,
        Outward.DEFAULT);
  }

  /**
   * A folder whose traces are followed.
   *
   * @param format id of the format of all files, or null to recognise it
   * @param run id of the run for files that name none, or null
   */
  public record WatchedFolder(Path folder, String format, String run) {}

  /**
   * How targets are found and scraped.
   *
   * @param targetsFile the operator's, in the form of Prometheus' file_sd; or null
   * @param interval of targets that name none
   * @param allowLinkLocal whether link-local and metadata addresses may be scraped
   * @param prometheusTargets a folder that a Prometheus watches, to share targets; or null
   * @param prometheusUrl that Prometheus, to be asked to reload; or null
   */
  public record Scrape(
      Path targetsFile,
      Duration interval,
      boolean allowLinkLocal,
      Path prometheusTargets,
      URI prometheusUrl) {
    public static final Scrape DEFAULT =
        new Scrape(null, Duration.ofSeconds(15), false, null, null);
  }

  /**
   * What others get.
   *
   * @param namespace that client metrics at {@code /metrics} begin with
   * @param forward where spans go, too: OTLP over HTTP
   * @param forwardHeaders sent with them
   */
  public record Outward(String namespace, List<URI> forward, Map<String, String> forwardHeaders) {
    public static final Outward DEFAULT = new Outward(MetricNames.NAMESPACE, List.of(), Map.of());
  }

  public static ServerOptions defaults(Path data) {
    return new ServerOptions(
        data,
        "127.0.0.1",
        18080,
        4318,
        4317,
        null,
        List.of(),
        false,
        null,
        List.of(),
        Scrape.DEFAULT);
  }
}
