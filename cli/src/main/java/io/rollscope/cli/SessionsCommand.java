package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.SessionsTable;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.SessionsReport;
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
    ReportRequest request = request().batchSize(batchSize);
    RunSource source = source(console);
    RunReports run = source.reports();
    SessionsReport report = run.sessions(request);
    if (report.records() == 0) {
      requireBatch(run, request.scope());
    }
    print(report, console);
    return source.finish(report.skippedLines(), output.quiet);
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
