package io.rollscope.cli;

import io.rollscope.cli.config.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * The options of a server as given on the command line. All are texts here, because the environment
 * and the configuration file give texts too, and one place judges them.
 */
final class ServerFlags {
  private static final Set<String> LISTS = Set.of("trust", "forward", "forward-header");
  private static final Set<String> SWITCHES = Set.of("insecure", "allow-link-local");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to bind (default: 127.0.0.1). Another one needs a token.")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Page, API and /metrics (default: 18080; 0: a free one).")
  private String port;

  @Option(
      names = "--otlp-http-port",
      paramLabel = "PORT",
      description = "OTLP over HTTP (default: 4318; 0: a free one).")
  private String otlpHttpPort;

  @Option(
      names = "--otlp-grpc-port",
      paramLabel = "PORT",
      description = "OTLP over gRPC (default: 4317; 0: a free one).")
  private String otlpGrpcPort;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "What clients must send; better by ROLLSCOPE_TOKEN, which others cannot see.")
  private String token;

  @Option(
      names = "--trust",
      paramLabel = "CIDR",
      description = "A network whose clients may send data without a token; may be repeated.")
  private List<String> trust;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificate (PEM) for https on all ports; read again when it changes.")
  private String tlsCert;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key (PEM).")
  private String tlsKey;

  @Option(names = "--insecure", description = "Bind another address without a token.")
  private boolean insecure;

  @Option(
      names = "--retention",
      paramLabel = "AGE",
      description = "Delete data older than this, e.g. 30d (default: keep all).")
  private String retention;

  @Option(
      names = "--targets-file",
      paramLabel = "FILE",
      description = "Targets to scrape, as Prometheus' file_sd (JSON or YAML); followed.")
  private String targetsFile;

  @Option(
      names = "--scrape-interval",
      paramLabel = "TIME",
      description = "How often targets are scraped (default: 15s).")
  private String scrapeInterval;

  @Option(
      names = "--allow-link-local",
      description = "Scrape link-local addresses and clouds' metadata, too.")
  private boolean allowLinkLocal;

  @Option(
      names = "--prometheus-targets",
      paramLabel = "DIR",
      description = "A folder that a Prometheus watches: targets are written there, too.")
  private String prometheusTargets;

  @Option(
      names = "--prometheus-url",
      paramLabel = "URL",
      description = "That Prometheus, to be told to reload.")
  private String prometheusUrl;

  @Option(
      names = "--metrics-namespace",
      paramLabel = "NAME",
      description = "What client metrics at /metrics begin with (default: rl_insight_monitor).")
  private String metricsNamespace;

  @Option(
      names = "--forward",
      paramLabel = "URL",
      description = "Send spans on to Tempo, Jaeger or a collector (OTLP/HTTP); may be repeated.")
  private List<String> forward;

  @Option(
      names = "--forward-header",
      paramLabel = "NAME=VALUE",
      description = "A header to send with them, such as authorization; may be repeated.")
  private List<String> forwardHeader;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML whose keys are these options without dashes, e.g. port: 18080.")
  private String config;

  /** What holds, from all places. */
  Settings settings(Map<String, String> environment) throws IOException {
    Map<String, List<String>> given = given();
    Set<String> known = new LinkedHashSet<>(given.keySet());
    known.remove("config");
    return Settings.gather(given, environment, known, LISTS);
  }

  /** Every option by name, with an empty list where the command line says nothing. */
  private Map<String, List<String>> given() {
    Map<String, List<String>> given = new LinkedHashMap<>();
    given.put("data", one(data));
    given.put("host", one(host));
    given.put("port", one(port));
    given.put("otlp-http-port", one(otlpHttpPort));
    given.put("otlp-grpc-port", one(otlpGrpcPort));
    given.put("token", one(token));
    given.put("trust", trust == null ? List.of() : trust);
    given.put("tls-cert", one(tlsCert));
    given.put("tls-key", one(tlsKey));
    given.put("insecure", insecure ? List.of("true") : List.of());
    given.put("retention", one(retention));
    given.put("targets-file", one(targetsFile));
    given.put("scrape-interval", one(scrapeInterval));
    given.put("allow-link-local", allowLinkLocal ? List.of("true") : List.of());
    given.put("prometheus-targets", one(prometheusTargets));
    given.put("prometheus-url", one(prometheusUrl));
    given.put("metrics-namespace", one(metricsNamespace));
    given.put("forward", forward == null ? List.of() : forward);
    given.put("forward-header", forwardHeader == null ? List.of() : forwardHeader);
    given.put("config", one(config));
    return given;
  }

  /** What the command line says, to be said again to another process; the token is left out. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    given()
        .forEach(
            (name, values) -> {
              if (SWITCHES.contains(name)) {
                values.forEach(value -> arguments.add("--" + name));
              } else if (!name.equals("token")) {
                values.forEach(value -> arguments.add("--" + name + "=" + value));
              }
            });
    return arguments;
  }

  private static List<String> one(String value) {
    return value == null ? List.of() : List.of(value);
  }
}
