package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.FindingsText;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.report.StepScope;
import io.rollscope.core.view.Scope;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is wrong? */
@Command(
    name = "diagnose",
    description = "What is wrong: causes, what each costs, and who suffers from it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Findings are causes: what one explains is not another. The most important comes",
      "first, those that are over come last. What this data does not allow to judge is",
      "said at the end. The exit code says whether it could be looked at, not whether",
      "something is wrong: scripts read healthy in the JSON.",
      "",
      "Examples:",
      "  rollscope diagnose                        of the server that runs here",
      "  rollscope diagnose runs/exp1",
      "  rollscope diagnose runs/exp1 --step 12",
      "  rollscope diagnose http://gpu-login:18080 --run exp1 --scope active",
      "  rollscope diagnose runs/exp1 --format json | jq '.findings[0].sentence'",
    })
final class DiagnoseCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "SRC",
      arity = "0..*",
      description =
          "A folder, a file or a glob of traces, or a server's URL (default: the server that"
              + " runs here).")
  private List<String> sources = List.of();

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "all (default); active: unfinished sessions and the batch with the newest event;"
              + " latest: the batch with the highest step, as XTuner does.")
  private String scope;

  @Option(names = "--batch", paramLabel = "ID", description = "Only findings of this batch.")
  private String batch;

  @Option(names = "--step", paramLabel = "N", description = "Only findings of this training step.")
  private Long step;

  @Mixin private ReadOptions read;
  @Mixin private NowOption now;
  @Mixin private OutputOptions output;
  @Mixin private TokenOption token;

  @Override
  public Integer call() throws IOException {
    if (step != null && (scope != null || batch != null)) {
      throw new WrongUsage("--step", step, "either --step or --scope or --batch");
    }
    ReportRequest request =
        ReportRequest.of(ScopeOptions.of(scope, batch, Scope.ALL)).now(now.nanos());
    Console console = Console.system(output.quiet);
    RunSource source = SourceCommand.source(sources, token, read, console);
    RunReports run = source.reports();
    SourceCommand.requireBatch(run, request.scope());
    FindingsReport report =
        run.findings(step == null ? request : request.scope(StepScope.of(run, step)));
    output.print(
        report,
        FindingsText.Row.class,
        FindingsText.rows(report),
        console,
        FindingsText.lines(report, console));
    return source.finish(report.skippedLines(), output.quiet);
  }
}
