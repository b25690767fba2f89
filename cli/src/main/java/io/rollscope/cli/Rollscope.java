package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.core.table.TableFullException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong usage. */
@Command(
    name = "rollscope",
    description = "Shows where every rollout of an RL training run is, and where its time went.",
    mixinStandardHelpOptions = true,
    versionProvider = Rollscope.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ServerCommand.class,
      WatchCommand.class,
      LiveCommand.class,
      DiagnoseCommand.class,
      HotspotsCommand.class,
      SessionsCommand.class,
      SessionCommand.class,
      MetricsCommand.class,
      ConvertCommand.class,
      ReportCommand.class,
      ImportCommand.class,
      QueryCommand.class,
      StackCommand.class,
      TargetsCommand.class,
      CompletionCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  rollscope demo                        a simulated run, live in this terminal",
      "  rollscope server start                collects what OpenTelemetry sends",
      "  rollscope watch work_dir              a server that follows growing folders",
      "  rollscope live                        what is open, overdue work first",
      "  rollscope live runs/exp1              the same of a folder, without a server",
      "  rollscope diagnose runs/exp1          what is wrong, why, and what it costs",
      "  rollscope hotspots runs/exp1          where the time went",
      "  rollscope sessions logs/exp/trial     how the sessions fared, by step",
      "  rollscope session runs/exp1 gsm8k:7   all about one session",
      "  rollscope metrics runs/exp1 reward    what the run measured, by step",
      "  rollscope convert logs/exp/trial      a trace that Perfetto opens",
      "  rollscope report runs/exp1            all of it as one HTML file",
      "  rollscope targets add gpu1:8000       scrapes an engine's metrics",
    })
public final class Rollscope implements Runnable {

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "When something fails, show the stack trace too.")
  private boolean debug;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  public static void main(String[] args) {
    StandardOut out = StandardOut.install();
    int code = run(args);
    String complaint = out.complaint();
    if (complaint != null && code == 0) {
      System.err.println(
          "rollscope: standard output: " + complaint + " (expected: a place that takes it all)");
      code = 1;
    }
    System.exit(code);
  }

  private static int run(String[] args) {
    try {
      return commandLine().execute(args);
    } catch (OutOfMemoryError e) {
      System.err.printf(
          Locale.ROOT,
          "rollscope: memory: all %,d MB are used (expected: a source that fits); give Java more"
              + " with ROLLSCOPE_JAVA_OPTS=-Xmx…, or name fewer files%n",
          Runtime.getRuntime().maxMemory() / 1_000_000);
      return 1;
    }
  }

  static CommandLine commandLine() {
    Rollscope root = new Rollscope();
    CommandLine line = new CommandLine(root);
    setVersion(line);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(root::wrongUsage);
    line.setExecutionExceptionHandler((e, command, parsed) -> root.failed(e, command.getErr()));
    return line;
  }

  private static void setVersion(CommandLine line) {
    line.getCommandSpec().versionProvider(new Version());
    line.getSubcommands().values().forEach(Rollscope::setVersion);
  }

  @Override
  public void run() {
    throw UsageErrors.noCommand(spec.commandLine());
  }

  private int wrongUsage(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("rollscope: " + Console.clean(UsageErrors.explain(e)));
    if (debug) {
      e.printStackTrace(err);
    }
    err.flush();
    return 2;
  }

  private int failed(Exception e, PrintWriter err) {
    err.println("rollscope: " + Console.clean(explain(e)));
    if (debug) {
      e.printStackTrace(err);
    }
    err.flush();
    return e instanceof WrongUsage ? 2 : 1;
  }

  private static String explain(Exception e) {
    if (e instanceof Failure || e instanceof TableFullException) {
      return e.getMessage();
    }
    if (e instanceof NoSuchFileException missing) {
      return "not found: " + missing.getFile() + " (expected: a file or folder)";
    }
    if (e instanceof AccessDeniedException denied) {
      return "not allowed: " + denied.getFile() + " (expected: a file you may use)";
    }
    if (e instanceof IOException) {
      return "input or output failed: "
          + e.getMessage()
          + " (expected: a readable source, a"
          + " writable target)";
    }
    if (e instanceof IllegalArgumentException && e.getMessage() != null) {
      return e.getMessage();
    }
    return "bug: " + e + " (expected: a result; --debug shows more, please report it)";
  }

  /** Says which version this is. */
  static final class Version implements IVersionProvider {
    static String number() {
      String version = Rollscope.class.getPackage().getImplementationVersion();
      return version == null ? "(unpackaged)" : version;
    }

    @Override
    public String[] getVersion() {
      return new String[] {"rollscope " + number()};
    }
  }
}
