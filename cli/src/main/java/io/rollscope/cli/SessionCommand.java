package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.SessionTable;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SessionView;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SessionLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
  @Parameters(
      paramLabel = "[SRC] ID",
      arity = "1..2",
      description =
          "The session, as live shows it; before it a folder, a file, a glob or a server's URL"
              + " (default: the server that runs here).")
  private List<String> words;

  @Option(
      names = "--now",
      paramLabel = "EPOCH_S",
      description = "Until when open spans count (default: the last event).")
  private Double now;

  @Mixin private ReadOptions read;
  @Mixin private OutputOptions output;
  @Mixin private TokenOption token;
  private String id;

  @Override
  public Integer call() throws IOException {
    if (words.size() > 2) {
      throw new WrongUsage("[SRC] ID", String.join(" ", words), "at most one source");
    }
    Console console = Console.system(output.quiet);
    List<String> sources = words.subList(0, words.size() - 1);
    id = words.get(words.size() - 1);
    Api server = token.serverOf(sources);
    return server == null ? ofFolder(sources, console) : ofServer(server, console);
  }

  private int ofServer(Api server, Console console) throws IOException {
    read.refuseForServer();
    if (now != null) {
      throw new WrongUsage("--now", now, "a folder or file; a server shows the present");
    }
    RemoteRun run = RemoteRun.choose(server, read.run);
    print(run.session(id), console);
    if (!output.quiet) {
      console.otherRuns(run.others());
    }
    return 0;
  }

  private void print(SessionReport report, Console console) throws IOException {
    output.print(
        report, SpanLine.class, report.spans(), console, SessionTable.lines(report, console));
  }

  private int ofFolder(List<String> sources, Console console) throws IOException {
    OpenSource opened = new OpenSource(sources, read, console);
    RunData data = opened.readAll();
    SpanTable table = data.table();
    int session = table.findSession(id);
    if (session < 0 || table.isLane(session)) {
      throw Failure.of("session", id, known(table, data.id()));
    }
    print(
        SessionView.of(
            table,
            session,
            now == null ? Nanos.UNKNOWN : LiveCommand.nanos(now),
            SessionLines.of(opened.reader().files(), table, session),
            opened.context()),
        console);
    return opened.finish(output.quiet);
  }

  /** What there is, with a few that are called alike. */
  private String known(SpanTable table, String run) {
    List<String> alike = new ArrayList<>();
    int sessions = 0;
    for (int s = 0; s < table.sessionCount(); s++) {
      if (!table.isLane(s)) {
        sessions++;
        if (alike.size() < 3 && table.key(s).contains(id)) {
          alike.add(table.key(s));
        }
      }
    }
    return "one of "
        + sessions
        + " in "
        + run
        + (alike.isEmpty() ? "" : ", e.g. " + String.join(", ", alike));
  }
}
