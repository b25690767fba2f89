package io.rollscope.cli;

import io.rollscope.core.table.TableFullException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      LiveCommand.class,
      HotspotsCommand.class,
      SessionsCommand.class,
      SessionCommand.class,
      ConvertCommand.class,
      CompletionCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  rollscope demo                        a simulated run, live in this terminal",
      "  rollscope live runs/exp1              what is open, overdue work first",
      "  rollscope hotspots runs/exp1          where the time went",
      "  rollscope sessions logs/exp/trial     how the sessions fared, by step",
      "  rollscope session runs/exp1 gsm8k:7   all about one session",
      "  rollscope convert logs/exp/trial      a trace that Perfetto opens",
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
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(root::wrongUsage);
    line.setExecutionExceptionHandler((e, command, parsed) -> root.failed(e, command.getErr()));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "command: none (expected: " + commands(spec) + ")");
  }

  private static String commands(CommandLine.Model.CommandSpec spec) {
    return String.join(", ", spec.subcommands().keySet());
  }

  private int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    String text = complaint(e, name);
    String hint = "; see " + name + " --help";
    boolean closed = text.endsWith(")");
    err.println(
        "rollscope: " + (closed ? text.substring(0, text.length() - 1) + hint + ")" : text));
    err.flush();
    return 2;
  }

  private static String complaint(ParameterException e, String command) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
      String given = String.join(" ", unmatched.getUnmatched());
      CommandLine.Model.CommandSpec spec = e.getCommandLine().getCommandSpec();
      if (!given.startsWith("-") && !spec.subcommands().isEmpty()) {
        return "command: "
            + unmatched.getUnmatched().get(0)
            + " (expected: "
            + commands(spec)
            + ")";
      }
      return "argument: " + given + " (expected: an option or argument of " + command + ")";
    }
    if (e instanceof CommandLine.MissingParameterException missing) {
      String wanted =
          missing.getMissing().stream()
              .map(CommandLine.Model.ArgSpec::paramLabel)
              .collect(Collectors.joining(" "));
      return "argument: none (expected: " + wanted + ")";
    }
    if (e.getArgSpec() == null || e.getValue() == null) {
      return e.getMessage().replace('\n', ' ');
    }
    CommandLine.Model.ArgSpec argument = e.getArgSpec();
    String name =
        argument instanceof CommandLine.Model.OptionSpec option
            ? option.longestName()
            : argument.paramLabel();
    return name + ": " + e.getValue() + " (expected: " + expected(argument) + ")";
  }

  private static String expected(CommandLine.Model.ArgSpec argument) {
    if (argument.type().isEnum()) {
      return Stream.of(argument.type().getEnumConstants())
          .map(c -> c.toString().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(" or "));
    }
    boolean whole = argument.type() == Integer.class || argument.type() == long.class;
    return whole ? "a whole number" : argument.type() == String.class ? "text" : "a number";
  }

  private int failed(Exception e, PrintWriter err) {
    err.println("rollscope: " + explain(e));
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
    @Override
    public String[] getVersion() {
      String version = Rollscope.class.getPackage().getImplementationVersion();
      return new String[] {"rollscope " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
