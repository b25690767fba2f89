package io.rollscope.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the collector. */
@Command(
    name = "start",
    description = "Starts the server, in the foreground until Ctrl+C, or detached.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Every option may also be set by a variable (ROLLSCOPE_OTLP_HTTP_PORT=4320) or",
      "in the --config file (otlp-http-port: 4320); the command line wins, then the",
      "variable. If the data folder's server runs already, its addresses are printed.",
      "",
      "Examples:",
      "  rollscope server start",
      "  rollscope server start --detach --data /scratch/rollscope --retention 30d",
      "  rollscope server start --host 0.0.0.0 --trust 10.0.0.0/8",
      "  rollscope server start --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
      "  rollscope server start --config rollscope.yaml",
    })
final class ServerStartCommand implements Callable<Integer> {
  @Option(names = "--detach", description = "Run in the background, with a log in the data folder.")
  private boolean detach;

  @Mixin private ServerFlags flags;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    ServerRun run = new ServerRun(flags.settings(System.getenv()), output);
    if (run.isRunningAlready()) {
      return 0;
    }
    return detach ? run.detached(flags.arguments()) : run.inForeground(List.of(), null, null);
  }
}
