package io.rollscope.cli;

import io.rollscope.cli.config.Setting;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.RemoteTargets;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.TargetsTable;
import io.rollscope.cli.render.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds targets. */
@Command(
    name = "add",
    description = "Adds targets; what is known already is replaced.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "HOST:PORT means http://HOST:PORT/metrics. A target's series belong to the run",
      "that they name (project and experiment_name), else to --run, else to the run",
      "the server heard from last. The list survives a restart of the server.",
      "",
      "Examples:",
      "  rollscope targets add gpu1:8000 gpu2:8000 --job vllm",
      "  rollscope targets add trainer:9092 --job trainer_metrics --run verl/demo",
      "  rollscope targets add https://node1/metrics --label node=n1 --interval 5s",
    })
final class TargetsAddCommand implements Callable<Integer> {
  private static final long PATIENCE_NS = 3_000_000_000L;
  private static final long PAUSE_NS = 100_000_000;

  @Parameters(paramLabel = "TARGET", arity = "1..*", description = "HOST:PORT or a URL; several.")
  private List<String> addresses;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "What they are, e.g. vllm (default: metrics).")
  private String job;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "The run of series that name none (default: the one heard from last).")
  private String run;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "A label for all their series; may be repeated.")
  private List<String> labels = List.of();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      description = "How often, e.g. 5s (default: the server's).")
  private String interval;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long one may take (default: 10s, at most the interval).")
  private String timeout;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (default: the one that runs here).")
  private String url;

  @Mixin private TokenOption token;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    RemoteTargets server = new RemoteTargets(token.server("--url", url));
    List<Map<String, Object>> wanted = new ArrayList<>();
    for (String address : addresses) {
      Map<String, Object> target = new LinkedHashMap<>();
      target.put("target", address);
      target.put("job", job);
      target.put("run", run);
      target.put("labels", labels());
      target.put("interval_s", seconds("--interval", interval));
      target.put("timeout_s", seconds("--timeout", timeout));
      wanted.add(target);
    }
    RemoteTargets.All added = firstScrape(server, server.add(wanted), console);
    output.print(
        added,
        RemoteTargets.Row.class,
        added.targets(),
        console,
        TargetsTable.lines(added, console, System.currentTimeMillis() / 1e3));
    return 0;
  }

  private Map<String, String> labels() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String label : labels) {
      int equals = label.indexOf('=');
      if (equals < 1) {
        throw new WrongUsage("--label", label, "NAME=VALUE");
      }
      all.put(label.substring(0, equals), label.substring(equals + 1));
    }
    return all;
  }

  private static Double seconds(String option, String given) {
    if (given == null) {
      return null;
    }
    Duration length = new Setting(option, true, List.of(given)).age();
    return (double) length.toSeconds();
  }

  /** People want to see whether it works: the server scrapes at once. */
  private static RemoteTargets.All firstScrape(
      RemoteTargets server, RemoteTargets.All added, Console console) throws IOException {
    Set<List<String>> keys = new HashSet<>();
    added.targets().forEach(row -> keys.add(List.of(row.job(), row.target())));
    RemoteTargets.All now = added;
    long began = System.nanoTime();
    try (Waiting waiting = console.waiting("first scrape")) {
      while (now.targets().stream().anyMatch(row -> row.up() == null)
          && System.nanoTime() - began < PATIENCE_NS) {
        waiting.show(Duration.ofNanos(System.nanoTime() - began));
        LockSupport.parkNanos(PAUSE_NS);
        RemoteTargets.All all = server.list();
        now =
            new RemoteTargets.All(
                all.targets().stream()
                    .filter(row -> keys.contains(List.of(row.job(), row.target())))
                    .toList(),
                all.problems());
      }
    }
    return now;
  }
}
