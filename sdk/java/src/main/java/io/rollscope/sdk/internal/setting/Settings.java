package io.rollscope.sdk.internal.setting;

import io.rollscope.sdk.OtlpTransport;
import io.rollscope.sdk.Signal;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * What is in force.
 *
 * @param endpoints null when something else than OTLP is used
 * @param spool or null
 * @param quiet whether it does not say where it records
 * @param home where Rollscope is installed, or null
 * @param rank of this worker, or null
 */
public record Settings(
    boolean enabled,
    String runId,
    String run,
    String project,
    String service,
    Map<Signal, URI> endpoints,
    String token,
    Spool spool,
    boolean viewer,
    boolean quiet,
    SelfReports selfReports,
    String home,
    String role,
    Long rank,
    Choices choices) {

  public static Settings of(Choices code, Environment environment) {
    Map<Signal, URI> endpoints =
        code.endpoints != null ? code.endpoints : Endpoints.in(environment);
    Spool spool = Spool.of(code, environment);
    boolean configured = endpoints != null || spool != null || code.transport != null;
    String run = first(code.run, environment.text("ROLLSCOPE_RUN"));
    String runId = first(code.runId, environment.text("ROLLSCOPE_RUN_ID"));
    String name = first(run, first(runId, Program.name()));
    String project = first(code.project, environment.text("ROLLSCOPE_PROJECT"));
    Boolean viewer = code.viewer != null ? code.viewer : environment.flag("ROLLSCOPE_VIEWER");
    Boolean quiet = code.quiet != null ? code.quiet : environment.flag("ROLLSCOPE_QUIET");
    return new Settings(
        isEnabled(code, environment, configured),
        first(runId, name),
        name,
        project,
        first(
            code.service,
            first(environment.text("OTEL_SERVICE_NAME"), first(project, "rollscope"))),
        spool != null || code.transport != null
            ? null
            : endpoints != null ? endpoints : Endpoints.usual(),
        first(code.token, environment.text("ROLLSCOPE_TOKEN")),
        code.transport == null ? spool : null,
        viewer != null && viewer,
        quiet != null && quiet,
        SelfReports.of(code, environment),
        environment.text("ROLLSCOPE_HOME"),
        first(code.role, environment.text("ROLLSCOPE_ROLE")),
        code.rank != null ? code.rank : rank(environment),
        code);
  }

  private static Long rank(Environment environment) {
    return environment.number(0, "ROLLSCOPE_RANK", "RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK");
  }

  private static boolean isEnabled(Choices code, Environment environment, boolean configured) {
    if (code.enabled != null) {
      return code.enabled;
    }
    Boolean said = environment.flag("ROLLSCOPE_ENABLED");
    if (said != null) {
      return said;
    }
    Boolean off = environment.flag("OTEL_SDK_DISABLED");
    return configured && (off == null || !off);
  }

  private static String first(String one, String other) {
    return one != null ? one : other;
  }

  /** How to reach the collector at those addresses. */
  public OtlpTransport.Setup otlp(Map<Signal, URI> addresses, Environment environment) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.putAll(environment.pairs("OTEL_EXPORTER_OTLP_HEADERS"));
    if (token != null) {
      headers.put("Authorization", "Bearer " + token);
    }
    headers.putAll(choices.headers);
    String protocol = environment.text("OTEL_EXPORTER_OTLP_PROTOCOL");
    if (protocol != null && !protocol.equals("http/protobuf")) {
      environment.warn("OTEL_EXPORTER_OTLP_PROTOCOL", protocol, "http/protobuf, which is used");
    }
    Long timeout = environment.number(1, "OTEL_EXPORTER_OTLP_TIMEOUT");
    return new OtlpTransport.Setup(
        addresses,
        headers,
        Duration.ofMillis(timeout == null ? 10_000 : timeout),
        isCompressed(environment),
        tls(environment));
  }

  private static boolean isCompressed(Environment environment) {
    String compression = environment.text("OTEL_EXPORTER_OTLP_COMPRESSION");
    if (compression == null) {
      return false;
    }
    String word = compression.toLowerCase(Locale.ROOT);
    if (!word.equals("gzip") && !word.equals("none")) {
      environment.warn("OTEL_EXPORTER_OTLP_COMPRESSION", compression, "gzip or none");
    }
    return word.equals("gzip");
  }

  private static SSLContext tls(Environment environment) {
    String file = environment.text("OTEL_EXPORTER_OTLP_CERTIFICATE");
    if (file == null) {
      return null;
    }
    try {
      return Certificates.trusting(Path.of(file));
    } catch (java.io.IOException
        | java.security.GeneralSecurityException
        | InvalidPathException e) {
      environment.warn("OTEL_EXPORTER_OTLP_CERTIFICATE", file, "a file of PEM certificates: " + e);
      return null;
    }
  }
}
