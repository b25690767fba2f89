package io.rollscope.sdk.internal.setting;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** This process, as it introduces itself: OTLP's resource. */
public record Worker(String host, long pid, String instance) {

  public static Worker current() {
    return new Worker(hostName(), ProcessHandle.current().pid(), UUID.randomUUID().toString());
  }

  private static String hostName() {
    String said = System.getenv("HOSTNAME");
    if (said != null && !said.isBlank()) {
      return said;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** What tells its files from those of others. */
  public String fileName() {
    return host + "-" + pid + "-" + instance.substring(0, 8);
  }

  /** Keys and values in turn. */
  public Object[] resource(Settings settings, Environment environment) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.putAll(environment.pairs("OTEL_RESOURCE_ATTRIBUTES"));
    all.put("service.name", settings.service());
    all.put("service.instance.id", instance);
    all.put("host.name", host);
    all.put("process.pid", pid);
    all.put("rl.run.id", settings.runId());
    all.put("rl.run.name", settings.run());
    put(all, "rl.project", settings.project());
    put(all, "rl.worker.role", settings.role());
    put(all, "rl.worker.rank", settings.rank());
    all.put("telemetry.sdk.name", "rollscope");
    all.put("telemetry.sdk.language", "java");
    all.put("telemetry.sdk.version", "0.1.0");
    all.putAll(settings.choices().resource);
    return all.entrySet().stream()
        .flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue()))
        .toArray();
  }

  private static void put(Map<String, Object> all, String key, Object value) {
    if (value != null) {
      all.put(key, value);
    }
  }
}
