package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.process.Bond;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.DetachedServer;
import io.rollscope.cli.process.EndSignal;
import io.rollscope.cli.process.Launcher;
import io.rollscope.cli.process.ServerEnd;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.Waiting;
import io.rollscope.cli.stack.Part;
import io.rollscope.cli.stack.Programs;
import io.rollscope.cli.stack.Stack;
import io.rollscope.cli.stack.StackPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts a server and what stands beside it. */
@Command(
    name = "start",
    description = "Starts the server, Prometheus, Tempo and Grafana; until Ctrl+C, or detached.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Each part is ready when it says so itself; if one cannot be started, the reason is",
      "printed and the others are ended. Configuration, data and logs of the parts are in",
      "the folder stack of the data folder.",
      "",
      "Examples:",
      "  rollscope stack start",
      "  rollscope stack start --with prometheus,grafana --grafana /opt/grafana/bin/grafana",
      "  rollscope stack start --detach --data /scratch/rollscope",
    })
final class StackStartCommand implements Callable<Integer> {
  private static final Duration SERVER_PATIENCE = Duration.ofMinutes(5);
  private static final Duration END_PATIENCE = Duration.ofSeconds(20);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "PART",
      description = "prometheus, tempo, grafana (default: those that are installed).")
  private List<String> with;

  @Option(names = "--detach", description = "Run in the background.")
  private boolean detach;

  @Option(names = "--prometheus", paramLabel = "FILE", description = "The program, if not on PATH.")
  private String prometheus;

  @Option(names = "--tempo", paramLabel = "FILE", description = "The program, if not on PATH.")
  private String tempo;

  @Option(names = "--grafana", paramLabel = "FILE", description = "The program, if not on PATH.")
  private String grafana;

  @Option(names = "--prometheus-port", paramLabel = "PORT", description = "Default: 9090.")
  private Integer prometheusPort;

  @Option(names = "--tempo-port", paramLabel = "PORT", description = "Default: 3200.")
  private Integer tempoPort;

  @Option(names = "--grafana-port", paramLabel = "PORT", description = "Default: 3000.")
  private Integer grafanaPort;

  @Mixin private ServerFlags flags;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Console console = Console.system(quiet);
    var data = flags.settings(System.getenv()).find("data");
    DataFolder folder = DataFolder.of(data == null ? null : data.text(), System.getenv());
    Stack stack = new Stack(StackStatusCommand.folder(folder));
    if (stack.isRunning()) {
      console.out().println("the stack is already running");
      StackStatusCommand.lines(folder, stack).forEach(console.out()::println);
      console.out().flush();
      return 0;
    }
    if (ServerState.ofLiving(folder).isPresent()) {
      throw Failure.of(
          "data folder",
          folder.path() + " is used by a server",
          "another --data, or rollscope server stop first");
    }
    StackPlan plan = plan(StackStatusCommand.folder(folder));
    folder.prepare();
    plan.prepare();
    EndSignal end = detach ? null : EndSignal.install();
    ServerState server = startServer(folder, plan, console);
    boolean complete = false;
    try {
      startParts(plan, stack, server, console);
      complete = true;
    } finally {
      if (!complete) {
        new ServerEnd(folder, END_PATIENCE, console::note).end();
      }
    }
    StackStatusCommand.lines(folder, stack).forEach(console.out()::println);
    console.out().flush();
    if (!detach) {
      console.hint("Ctrl+C ends all of it.");
      watch(end, stack, folder, console);
    }
    return 0;
  }

  private Bond bond() {
    return detach ? Bond.OUTLIVES : Bond.ENDS_WITH_US;
  }

  private StackPlan plan(Path folder) throws IOException, InterruptedException {
    Map<Part, String> given = new EnumMap<>(Part.class);
    Map<Part, Integer> ports = new EnumMap<>(Part.class);
    put(given, Part.PROMETHEUS, prometheus);
    put(given, Part.TEMPO, tempo);
    put(given, Part.GRAFANA, grafana);
    put(ports, Part.PROMETHEUS, prometheusPort);
    put(ports, Part.TEMPO, tempoPort);
    put(ports, Part.GRAFANA, grafanaPort);
    ports.forEach((part, port) -> checkPort(part, port));
    return StackPlan.of(folder, wanted(), new Programs(given, System.getenv()), ports);
  }

  private static <T> void put(Map<Part, T> map, Part part, T value) {
    if (value != null) {
      map.put(part, value);
    }
  }

  private static void checkPort(Part part, int port) {
    if (port < 1 || port > 65535) {
      throw new WrongUsage("--" + part.word() + "-port", port, "1 to 65535");
    }
  }

  /** The parts asked for, or null: whatever there is. */
  private List<Part> wanted() {
    if (with == null) {
      return null;
    }
    List<Part> parts = new ArrayList<>();
    for (String word : with) {
      try {
        parts.add(Part.valueOf(word.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw new WrongUsage("--with", word, "prometheus, tempo or grafana");
      }
    }
    return parts;
  }

  private ServerState startServer(DataFolder folder, StackPlan plan, Console console)
      throws IOException {
    List<String> command = new ArrayList<>(Launcher.command());
    command.addAll(List.of("server", "start"));
    command.addAll(flags.arguments());
    command.addAll(plan.serverOptions());
    try (Waiting waiting = console.waiting("starting the server")) {
      return new DetachedServer(folder, command, Map.of(), SERVER_PATIENCE, bond())
          .start(waiting::show);
    }
  }

  private void startParts(StackPlan plan, Stack stack, ServerState server, Console console)
      throws IOException, InterruptedException {
    plan.configure(server.url().replaceFirst("^https?://", ""), System.getenv());
    try (Waiting waiting = console.waiting("starting the stack")) {
      stack.start(plan, bond(), (part, waited) -> waiting.show(waited));
    }
  }

  /** Waits for Ctrl+C; says which part has died meanwhile. */
  private static void watch(EndSignal end, Stack stack, DataFolder folder, Console console)
      throws IOException {
    List<String> told = new ArrayList<>();
    while (!end.isAsked(LOOK_EVERY)) {
      for (Stack.Line line : stack.dead()) {
        if (!told.contains(line.name())) {
          told.add(line.name());
          console.note(line.name() + " has ended: " + line.detail() + " (see " + line.log() + ")");
        }
      }
    }
    console.hint("ending …");
    stack.stop(console::note);
    new ServerEnd(folder, END_PATIENCE, console::note).end();
  }
}
