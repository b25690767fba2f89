package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.SessionTable;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.SpanLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What did this session do? */
@Command(
    name = "session",
    description = "All about one session: its spans, where its time went, its events.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  rollscope session runs/exp1 gsm8k:7",
      "  rollscope session logs/exp/trial r0-t3-s12 --format json",
      "  rollscope session gsm8k:7             on the server that runs here",
    })
final class SessionCommand implements Callable<Integer> {
  private static final int ALIKE = 3;

  @Parameters(
      paramLabel = "[SRC] ID",
      arity = "1..2",
      description =
          "The session, as live shows it; before it a folder, a file, a glob or a server's URL"
              + " (default: the server that runs here).")
  private List<String> words;

  @Mixin private NowOption now;
  @Mixin private ReadOptions read;
  @Mixin private OutputOptions output;
  @Mixin private TokenOption token;

  @Override
  public Integer call() throws IOException {
    if (words.size() > 2) {
      throw new WrongUsage("[SRC] ID", String.join(" ", words), "at most one source");
    }
    Console console = Console.system(output.quiet);
    List<String> sources = words.subList(0, words.size() - 1);
    String id = words.get(words.size() - 1);
    ReportRequest request = ReportRequest.of(Scope.ALL).now(now.nanos());
    RunSource source = SourceCommand.source(sources, token, read, console);
    RunReports run = source.reports();
    SessionReport report =
        run.session(id, request).orElseThrow(() -> Failure.of("session", id, known(run, id)));
    print(report, console);
    return source.finish(report.skippedLines(), output.quiet);
  }

  private void print(SessionReport report, Console console) throws IOException {
    output.print(
        report, SpanLine.class, report.spans(), console, SessionTable.lines(report, console));
  }

  /** What there is, with a few that are called alike. */
  private static String known(RunReports run, String id) {
    try {
      ReportRequest all = ReportRequest.of(Scope.ALL).sort("session").limit(ALIKE);
      SessionListReport any = run.sessionList(all);
      SessionFilter like = new SessionFilter(null, null, null, null, id);
      List<String> alike =
          run.sessionList(all.filter(like)).rows().stream()
              .map(SessionListReport.Row::session)
              .toList();
      return "one of "
          + any.total()
          + " in "
          + any.run()
          + (alike.isEmpty() ? "" : ", e.g. " + String.join(", ", alike));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
