package io.rollscope.cli;

import io.rollscope.cli.config.Setting;
import io.rollscope.cli.config.Settings;
import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.process.Bond;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.DetachedServer;
import io.rollscope.cli.process.EndSignal;
import io.rollscope.cli.process.ForegroundServer;
import io.rollscope.cli.process.Launcher;
import io.rollscope.cli.process.LogLimit;
import io.rollscope.cli.process.ServerReport;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the commands that run a server have in common. */
final class ServerRun {
  /** Reading back a large journal takes its time. */
  private static final Duration START_PATIENCE = Duration.ofMinutes(5);

  private final Settings settings;
  private final OutputOptions output;
  private final Console console;
  private final DataFolder folder;

  ServerRun(Settings settings, OutputOptions output) {
    this.settings = settings;
    this.output = output;
    this.console = Console.system(output.quiet);
    Setting data = settings.find("data");
    this.folder = DataFolder.of(data == null ? null : data.text(), System.getenv());
  }

  /** Whether the data folder's server answers already; then its addresses have been printed. */
  boolean isRunningAlready() throws IOException {
    Optional<ServerState> living = ServerState.ofLiving(folder);
    if (living.isEmpty()) {
      return false;
    }
    if (!living.get().answers()) {
      throw Failure.of(
          "data folder",
          folder.path() + " is used by pid " + living.get().pid() + ", which does not answer",
          "a folder no other process uses; rollscope server stop ends it");
    }
    print(living.get(), "is already running");
    return true;
  }

  /** Refuses a folder whose server runs: that one would not follow what it is not told of. */
  void refuseIfRunning() throws IOException {
    Optional<ServerState> living = ServerState.ofLiving(folder);
    if (living.isPresent()) {
      throw Failure.of(
          "data folder",
          folder.path() + " is used by the server at " + living.get().url(),
          "another --data, or rollscope server stop first");
    }
  }

  /** Runs until a signal asks for the end. */
  int inForeground(List<Path> watch, String format, String run) throws IOException {
    boolean detached = System.getenv(DetachedServer.VARIABLE) != null;
    EndSignal end = EndSignal.install();
    if (detached) {
      LogLimit.watch(folder.log());
    }
    try (ForegroundServer server =
        ForegroundServer.start(
            settings, System.getenv(), watch, format, run, Rollscope.Version.number())) {
      print(server.report(), detached ? null : server.token(), "is collecting");
      if (output.format == OutputOptions.Format.TABLE && !detached) {
        console.hint("Ctrl+C ends it.");
      }
      end.await(null);
      console.hint("closing …");
    }
    return 0;
  }

  /**
   * Starts another process and waits until it answers.
   *
   * @param arguments options of the server, without the token, which others could see
   */
  int detached(List<String> arguments) throws IOException {
    Map<String, String> variables = new HashMap<>();
    Setting token = settings.find("token");
    if (token != null) {
      variables.put("ROLLSCOPE_TOKEN", token.text());
    }
    List<String> command = new ArrayList<>(Launcher.command());
    command.addAll(List.of("server", "start"));
    command.addAll(arguments);
    ServerState state;
    try (Waiting waiting = console.waiting("starting the server")) {
      state =
          new DetachedServer(folder, command, variables, START_PATIENCE, Bond.OUTLIVES)
              .start(waiting::show);
    }
    print(state, "is collecting");
    return 0;
  }

  /** Of a server in another process, whose token is not for the screen. */
  private void print(ServerState state, String what) throws IOException {
    ServerReport report = ServerReport.running(state, folder);
    List<String> lines = new ArrayList<>(lines(report, null, "Rollscope " + what));
    if (state.tokenFile() != null) {
      lines.add("  token       in " + Console.clean(state.tokenFile()));
    }
    output.print(report, ServerReport.class, List.of(report), console, lines);
  }

  private void print(ServerReport report, String token, String what) throws IOException {
    output.print(
        report,
        ServerReport.class,
        List.of(report),
        console,
        lines(report, token, "Rollscope " + what));
  }

  /** Addresses for people; the page's with the token, because that is how it is opened. */
  static List<String> lines(ServerReport report, String token, String title) {
    List<String> lines = new ArrayList<>();
    lines.add(title + " (pid " + report.pid() + ", version " + report.version() + ")");
    lines.add("  page, API   " + report.url() + (token == null ? "" : "/#token=" + token));
    lines.add("  OTLP/HTTP   " + report.otlpHttp());
    lines.add("  OTLP/gRPC   " + report.otlpGrpc());
    lines.add("  data        " + Console.clean(report.data()));
    if (token != null) {
      lines.add("  token       " + token);
    }
    return lines;
  }
}
