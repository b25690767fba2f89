package io.rollscope.formats;

import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.LineFetcher;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A source read as the command line reads it, and the reports made of it. */
public record ReadSource(FolderReader reader, RunData run, ReportContext context) {
  private static final long PLENTY = 512L << 20;

  /** Reads all there is. */
  public static ReadSource of(Path source) throws IOException {
    FolderReader reader = open(source);
    reader.readAll();
    return of(reader);
  }

  /** A reader that has read nothing yet. */
  public static FolderReader open(Path source) {
    return new FolderReader(new SourcePath(source.toString()), null, null, PLENTY);
  }

  /** What a reader has read so far, looked at as the newest of its runs. */
  public static ReadSource of(FolderReader reader) {
    RunData newest = reader.runs().newest();
    RunData run = newest == null ? reader.runs().run("empty") : newest;
    List<ReportContext.SkippedLines.Example> examples =
        reader.skipped().examples().stream()
            .map(e -> new ReportContext.SkippedLines.Example(e.file(), e.line(), e.reason()))
            .toList();
    ReportContext context =
        new ReportContext(
            "source", run.id(), new ReportContext.SkippedLines(reader.skipped().count(), examples));
    return new ReadSource(reader, run, context);
  }

  public SpanTable table() {
    return run.table();
  }

  public HotspotsReport hotspots(Scope scope) {
    return HotspotsView.of(table(), scope, context);
  }

  /** As of {@code now}, in seconds. */
  public LiveReport live(Scope scope, double now) {
    return new LiveBoard(table(), scope).report(context, Nanos.fromSeconds(now), Integer.MAX_VALUE);
  }

  public SessionsReport sessions(Scope scope) {
    return SessionsView.of(
        new SessionsView.Input(table(), run.counters(), run.barrierSpans(), null), scope, context);
  }

  /** One session with its lines, open spans up to the last event. */
  public SessionReport session(String id) {
    int session = table().findSession(id);
    if (session < 0) {
      throw new AssertionError("no session " + id);
    }
    return SessionView.of(
        table(),
        session,
        Nanos.UNKNOWN,
        new SessionView.SourceLines(Map.of(), lines(session)),
        context);
  }

  private List<String> lines(int session) {
    LineFetcher fetcher = new LineFetcher(reader.files()::get);
    List<String> lines = new ArrayList<>();
    try {
      for (int row = table().newestRow(session); row >= 0; row = table().previous(row)) {
        lines.add(0, fetcher.line(table().file(row), table().offset(row)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }
}
