package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.server.tail.FolderImport;
import io.rollscope.server.tail.ImportResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Sends folders to a server and tells how far it is and what became of it. */
final class FolderSending {
  private final List<Path> sources;
  private final ReadOptions read;
  private final Api server;
  private final Console console;

  FolderSending(List<Path> sources, ReadOptions read, Api server, Console console) {
    this.sources = sources;
    this.read = read;
    this.server = server;
    this.console = console;
  }

  /** Sends all; the exit code. */
  int send(boolean quiet) throws IOException {
    server.requireAnswer();
    long started = System.nanoTime();
    ImportResult result = send();
    if (result.files() == 0) {
      throw Failure.of(
          "DIR", String.join(" ", sources.stream().map(Path::toString).toList()), "traces in it");
    }
    double seconds = Math.max(1e-3, (System.nanoTime() - started) / 1e9);
    if (!quiet) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "%,d spans of %,d files (%,.1f MB) in %.1f s, %,.0f spans/s%n",
              result.spans(),
              result.files(),
              result.bytes() / 1e6,
              seconds,
              result.spans() / seconds);
      console.out().flush();
      console.skipped(skipped(result));
      result
          .rejected()
          .forEach((why, count) -> console.note("the server rejected " + count + ": " + why));
    }
    boolean complete = result.skippedLines() == 0 && result.rejected().isEmpty();
    return read.strict && !complete ? 1 : 0;
  }

  private ImportResult send() throws IOException {
    try (ProgressBar bar = console.progress("importing")) {
      return FolderImport.run(
          sources,
          read.as,
          read.run,
          server.base(),
          server.token(),
          server.tls(),
          (done, total, spans) ->
              bar.at(done, total, String.format(Locale.ROOT, "%,d spans", spans)));
    }
  }

  static SkippedLines skipped(ImportResult result) {
    return new SkippedLines(
        result.skippedLines(),
        result.examples().stream()
            .map(e -> new SkippedLines.Example(e.file(), e.line(), e.reason()))
            .toList());
  }
}
