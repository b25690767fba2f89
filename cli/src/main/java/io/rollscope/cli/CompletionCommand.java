package io.rollscope.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Teaches the shell the commands and options. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash or zsh.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  source <(rollscope completion bash)"})
final class CompletionCommand implements Runnable {
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine root = spec.root().commandLine();
    if (shell == Shell.ZSH) {
      root.getOut().println("autoload -U +X compinit && compinit");
      root.getOut().println("autoload -U +X bashcompinit && bashcompinit");
    }
    root.getOut().println(AutoComplete.bash("rollscope", root));
    root.getOut().flush();
  }
}
