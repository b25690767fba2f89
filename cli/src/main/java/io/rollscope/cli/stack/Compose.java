package io.rollscope.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stack as containers: the same configuration, with their names instead of addresses. */
public final class Compose {
  private Compose() {}

  /** Writes the file and what it mounts; the folder of the latter. */
  public static Path write(Path file) throws IOException {
    Path folder = file.resolveSibling("rollscope-stack");
    Configuration configuration = new Configuration(values());
    configuration.write("prometheus/prometheus.yml", folder.resolve("prometheus.yml"));
    configuration.write(TempoSetup.IN_CONTAINER.templates(), folder.resolve("tempo.yaml"));
    for (String name : List.of("datasources/rollscope.yaml", "dashboards/rollscope.yaml")) {
      configuration.write("grafana/provisioning/" + name, folder.resolve("provisioning/" + name));
    }
    for (String dashboard : Configuration.DASHBOARDS) {
      Configuration.copy(
          "grafana/dashboards/" + dashboard, folder.resolve("dashboards/" + dashboard));
    }
    Files.writeString(file, configuration.filled("docker/docker-compose.yml"));
    return folder;
  }

  private static Map<String, String> values() {
    Map<String, String> values = new HashMap<>(TempoSetup.IN_CONTAINER.values());
    values.put("host", "0.0.0.0");
    values.put("rollscope.address", "rollscope:18080");
    values.put("prometheus.port", "9090");
    values.put("prometheus.url", "http://prometheus:9090");
    values.put("tempo.port", "3200");
    values.put("tempo.url", "http://tempo:3200");
    values.put("grafana.port", "3000");
    values.put("data", "/var");
    values.put("targets", "/targets");
    values.put("dashboards", "/etc/grafana/dashboards");
    values.put("provisioning", "/etc/grafana/provisioning");
    return values;
  }
}
