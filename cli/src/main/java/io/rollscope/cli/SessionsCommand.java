package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.SessionsTable;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.folder.RunData;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How did the sessions fare? */
@Command(
    name = "sessions",
    description = "How did the sessions fare: statuses, reasons, distributions, training steps.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Steps come from the trainer's spans or the steps that sessions name. With -B",
      "they are guessed by AReaL's own rule, so that numbers can be compared with its",
      "plots.",
      "",
      "Examples:",
      "  rollscope sessions logs/me/exp/trial",
      "  rollscope sessions logs/me/exp/trial/session_tracer -B 60",
      "  rollscope sessions runs/exp1 --scope all --format json | jq .statuses",
      "  rollscope sessions                        of the server that runs here",
    })
final class SessionsCommand extends SourceCommand {
  @Option(
      names = {"-B", "--consumer-batch-size"},
      paramLabel = "N",
      description = "Tell steps by AReaL's rule: N tasks are consumed per step.")
  private Integer batchSize;

  @Override
  public Integer call() throws IOException {
    if (batchSize != null && batchSize < 1) {
      throw new WrongUsage("-B", batchSize, "a batch size of at least 1");
    }
    Console console = Console.system(output.quiet);
    Api server = server();
    if (server != null) {
      RemoteRun run = RemoteRun.choose(server, read.run);
      SessionsReport report = run.sessions(scope.scope(), batchSize);
      if (report.records() == 0) {
        run.requireBatch(scope.scope());
      }
      print(report, console);
      return finish(run, report.skippedLines(), console);
    }
    OpenSource opened = open(console);
    RunData run = opened.readAll();
    checkBatch(run.table());
    print(
        SessionsView.of(
            new SessionsView.Input(run.table(), run.counters(), run.barrierSpans(), batchSize),
            scope.scope(),
            opened.context()),
        console);
    return opened.finish(output.quiet);
  }

  private void print(SessionsReport report, Console console) throws IOException {
    output.print(
        report,
        SessionsTable.Metric.class,
        SessionsTable.metrics(report),
        console,
        SessionsTable.lines(report, console));
  }
}
