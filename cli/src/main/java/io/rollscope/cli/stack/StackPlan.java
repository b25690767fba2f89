package io.rollscope.cli.stack;

import io.rollscope.cli.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What is to be started, where, on which ports.
 *
 * @param folder of the stack; configuration, data and logs of its parts are below
 * @param ports of all parts that run
 * @param tempo null where it is not among them
 */
public record StackPlan(
    Path folder, Map<Part, Path> programs, Map<Part, Integer> ports, TempoSetup tempo) {
  private static final String HOST = "127.0.0.1";

  public StackPlan {
    programs = new EnumMap<>(programs);
    ports = new EnumMap<>(ports);
  }

  /**
   * A plan of the parts asked for.
   *
   * @param wanted null: whatever is installed
   * @param ports that differ from the usual
   */
  public static StackPlan of(
      Path folder, List<Part> wanted, Programs programs, Map<Part, Integer> ports)
      throws IOException, InterruptedException {
    Map<Part, Path> found = new EnumMap<>(Part.class);
    Map<Part, Integer> allPorts = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      allPorts.put(part, ports.getOrDefault(part, part.usualPort()));
      if (wanted == null) {
        programs.find(part).ifPresent(program -> found.put(part, program));
      } else if (wanted.contains(part)) {
        found.put(part, programs.need(part));
      }
    }
    if (found.isEmpty()) {
      throw Failure.of(
          "stack",
          "none of prometheus, tempo and grafana is on the PATH",
          "one of them; rollscope server start runs without");
    }
    Path tempo = found.get(Part.TEMPO);
    return new StackPlan(folder, found, allPorts, tempo == null ? null : TempoSetup.of(tempo));
  }

  String url(Part part) {
    return "http://" + HOST + ":" + ports.get(part);
  }

  Path log(Part part) {
    return folder.resolve(part.word() + ".log");
  }

  static Path state(Path folder) {
    return folder.resolve("stack.json");
  }

  private Path targets() {
    return folder.resolve("targets");
  }

  /** Makes the folders that the server and the parts share. */
  public void prepare() throws IOException {
    Files.createDirectories(targets());
  }

  /** Options of the server that make it feed the others. */
  public List<String> serverOptions() {
    List<String> options = new ArrayList<>();
    if (tempo != null) {
      options.addAll(List.of("--forward", "http://" + HOST + ":" + tempo.otlpHttp()));
    }
    if (programs.containsKey(Part.PROMETHEUS)) {
      options.addAll(List.of("--prometheus-targets", targets().toString()));
      options.addAll(List.of("--prometheus-url", url(Part.PROMETHEUS)));
    }
    return options;
  }

  /**
   * Writes what the parts are configured by, and has it checked.
   *
   * @param serverAddress host and port of the server's page
   */
  public void configure(String serverAddress, Map<String, String> environment)
      throws IOException, InterruptedException {
    Configuration configuration = new Configuration(values(serverAddress));
    configuration.write("prometheus/prometheus.yml", folder.resolve("prometheus.yml"));
    if (tempo != null) {
      configuration.write(tempo.templates(), folder.resolve("tempo.yaml"));
    }
    configuration.write("grafana/grafana.ini", folder.resolve("grafana.ini"));
    for (String file : List.of("datasources/rollscope.yaml", "dashboards/rollscope.yaml")) {
      configuration.write("grafana/provisioning/" + file, folder.resolve("provisioning/" + file));
    }
    for (String dashboard : Configuration.DASHBOARDS) {
      Configuration.copy(
          "grafana/dashboards/" + dashboard, folder.resolve("dashboards/" + dashboard));
    }
    check(environment);
  }

  private Map<String, String> values(String serverAddress) {
    Map<String, String> values = new HashMap<>();
    values.put("host", HOST);
    values.put("rollscope.address", serverAddress);
    values.put("data", folder.resolve("data").toString());
    values.put("targets", targets().toString());
    values.put("provisioning", folder.resolve("provisioning").toString());
    values.put("dashboards", folder.resolve("dashboards").toString());
    if (tempo != null) {
      values.putAll(tempo.values());
    }
    for (Part part : Part.values()) {
      int port = ports.getOrDefault(part, part.usualPort());
      values.put(part.word() + ".port", Integer.toString(port));
      values.put(part.word() + ".url", "http://" + HOST + ":" + port);
    }
    return values;
  }

  /** How a part is started. */
  List<String> command(Part part) {
    String program = programs.get(part).toString();
    return switch (part) {
      case PROMETHEUS ->
          List.of(
              program,
              "--config.file=" + folder.resolve("prometheus.yml"),
              "--storage.tsdb.path=" + folder.resolve("data/prometheus"),
              "--storage.tsdb.retention.time=30d",
              "--web.listen-address=" + HOST + ":" + ports.get(part),
              "--web.enable-lifecycle");
      case TEMPO -> List.of(program, "-config.file=" + folder.resolve("tempo.yaml"));
      case GRAFANA -> grafana(program);
    };
  }

  private List<String> grafana(String program) {
    List<String> command = new ArrayList<>(List.of(program));
    if (program.endsWith("grafana")) {
      command.add("server");
    }
    command.addAll(List.of("--config", folder.resolve("grafana.ini").toString(), "--homepath"));
    Path debian = Path.of("/usr/share/grafana");
    // In a downloaded archive the program is in bin, below what it calls its home.
    Path archive = programs.get(Part.GRAFANA).resolveSibling("..").normalize();
    command.add((Files.isDirectory(debian) ? debian : archive).toString());
    return command;
  }

  /** Asks Prometheus' own checker, where there is one. */
  private void check(Map<String, String> environment) throws IOException, InterruptedException {
    if (!programs.containsKey(Part.PROMETHEUS)) {
      return;
    }
    Path beside = programs.get(Part.PROMETHEUS).resolveSibling("promtool");
    Path promtool =
        Files.isExecutable(beside)
            ? beside
            : Programs.onPath("promtool", environment.getOrDefault("PATH", "")).orElse(null);
    if (promtool == null) {
      return;
    }
    Path file = folder.resolve("prometheus.yml");
    Path words = folder.resolve("promtool.log");
    Process check =
        new ProcessBuilder(promtool.toString(), "check", "config", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(words.toFile())
            .start();
    if (!check.waitFor(1, TimeUnit.MINUTES) || check.exitValue() != 0) {
      throw Failure.of(
          "prometheus.yml", Logs.lastLine(words), "a configuration that promtool accepts: " + file);
    }
  }
}
