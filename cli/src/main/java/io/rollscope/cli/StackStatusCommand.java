package io.rollscope.cli;

import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.stack.Stack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the parts of the stack are doing. */
@Command(
    name = "status",
    description = "Says which parts of the stack run, where, and whether they can be used.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope stack status",
      "  rollscope stack status --format json | jq -r '.parts[] | select(.state != \"ready\")'",
    })
final class StackStatusCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: ~/.rollscope).")
  private String data;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    Console console = Console.system(output.quiet);
    DataFolder folder = DataFolder.of(data, System.getenv());
    Stack stack = new Stack(folder(folder));
    List<Stack.Line> parts = parts(folder, stack);
    output.print(new Stack.Report(parts), Stack.Line.class, parts, console, lines(folder, stack));
    return 0;
  }

  /** Where the stack of a data folder keeps its things. */
  static Path folder(DataFolder folder) {
    return folder.path().resolve("stack");
  }

  private static List<Stack.Line> parts(DataFolder folder, Stack stack) throws IOException {
    List<Stack.Line> parts = new ArrayList<>();
    Optional<ServerState> server = ServerState.ofLiving(folder);
    if (server.isPresent()) {
      String state = server.get().answers() ? "ready" : "starting";
      String log = folder.log().toString();
      parts.add(
          new Stack.Line("rollscope", state, server.get().pid(), server.get().url(), log, null));
    }
    parts.addAll(stack.status());
    return parts;
  }

  /** The same for people. */
  static List<String> lines(DataFolder folder, Stack stack) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Stack.Line part : parts(folder, stack)) {
      String line =
          String.format(Locale.ROOT, "%-11s %-9s %s", part.name(), part.state(), part.url());
      lines.add(part.detail() == null ? line : line + "  " + Console.clean(part.detail()));
    }
    if (lines.isEmpty()) {
      lines.add("no stack is running on " + Console.clean(folder.path().toString()));
    }
    return lines;
  }
}
