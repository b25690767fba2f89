package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Traces read from real files, and every view on them, as the command line puts them together. */
public final class ReadTraces {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long HOUR_NS = 3_600_000_000_000L;

  private final FolderReader reader;

  private ReadTraces(FolderReader reader) {
    this.reader = reader;
  }

  /** Reads all of a folder or file. */
  public static ReadTraces all(Path source) throws IOException {
    return all(source, null);
  }

  /** Reads all of a folder or file as this format. */
  public static ReadTraces all(Path source, String format) throws IOException {
    FolderReader reader = newReader(source, format);
    reader.readAll();
    return new ReadTraces(reader);
  }

  /** What a reader that is being polled knows now. */
  public static ReadTraces of(FolderReader reader) {
    return new ReadTraces(reader);
  }

  public static FolderReader newReader(Path source, String format) {
    TraceFormat forced = format == null ? null : Formats.named(format);
    return new FolderReader(new SourcePath(source.toString()), forced, null, Long.MAX_VALUE);
  }

  /** A file or folder of the samples. */
  public static Path sample(String path) {
    try {
      return Path.of(ReadTraces.class.getResource("/samples/" + path).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  public FolderReader reader() {
    return reader;
  }

  public Skipped skipped() {
    return reader.skipped();
  }

  /** The only run. */
  public RunData run() {
    assertThat(reader.runs().ids()).hasSize(1);
    return run(reader.runs().ids().iterator().next());
  }

  public RunData run(String id) {
    assertThat(reader.runs().ids()).contains(id);
    return reader.runs().run(id);
  }

  public SpanTable table() {
    return run().table();
  }

  /** Ids of all sessions, without lanes. */
  public List<String> sessionIds() {
    return sessionIds(run());
  }

  private static List<String> sessionIds(RunData run) {
    List<String> ids = new ArrayList<>();
    for (int s = 0; s < run.table().sessionCount(); s++) {
      if (!run.table().isLane(s)) {
        ids.add(run.table().key(s));
      }
    }
    return ids;
  }

  public ReportContext context(RunData run) {
    Skipped skipped = reader.skipped();
    return new ReportContext(
        "source",
        run.id(),
        new SkippedLines(
            skipped.count(),
            skipped.examples().stream()
                .map(e -> new SkippedLines.Example(e.file(), e.line(), e.reason()))
                .toList()));
  }

  public HotspotsReport hotspots(Scope scope) {
    return hotspots(run(), scope);
  }

  private HotspotsReport hotspots(RunData run, Scope scope) {
    return HotspotsView.of(run.table(), scope, context(run));
  }

  public SessionsReport sessions(Integer batchSize) {
    return sessions(run(), Scope.ALL, batchSize);
  }

  private SessionsReport sessions(RunData run, Scope scope, Integer batchSize) {
    return SessionsView.of(
        new SessionsView.Input(run.table(), run.counters(), run.barrierSpans(), batchSize),
        scope,
        context(run));
  }

  public SessionReport session(String id) {
    return session(run(), id);
  }

  private SessionReport session(RunData run, String id) {
    int s = run.table().findSession(id);
    assertThat(s).as(id).isNotNegative();
    return SessionView.of(
        run.table(), s, Nanos.UNKNOWN, SessionView.SourceLines.NONE, context(run));
  }

  public LiveReport live(Scope scope) {
    return live(run(), scope);
  }

  private LiveReport live(RunData run, Scope scope) {
    LiveBoard board = new LiveBoard(run.table(), scope);
    return board.report(context(run), nowOf(run.table()), Integer.MAX_VALUE);
  }

  /** An hour after the last event, so that it does not depend on when the test runs. */
  public static long nowOf(SpanTable table) {
    long last = table.newestInstant();
    return last == Nanos.UNKNOWN ? HOUR_NS : Math.min(Nanos.LIMIT, last + HOUR_NS);
  }

  /**
   * Every report of every run in every scope, as JSON. Fails on numbers that JSON does not have.
   *
   * @param maxSessions how many sessions are looked at one by one
   */
  public List<JsonNode> everyReport(int maxSessions) {
    List<JsonNode> reports = new ArrayList<>();
    for (String id : reader.runs().ids().stream().sorted().toList()) {
      RunData run = reader.runs().run(id);
      for (Scope scope :
          List.of(Scope.ALL, Scope.ACTIVE, Scope.LATEST, Scope.ofBatch("train_step=1"))) {
        reports.add(json(hotspots(run, scope)));
        reports.add(json(live(run, scope)));
        reports.add(json(sessions(run, scope, null)));
        reports.add(json(sessions(run, scope, 4)));
      }
      sessionIds(run).stream()
          .sorted()
          .limit(maxSessions)
          .forEach(session -> reports.add(json(session(run, session))));
    }
    return reports;
  }

  private static JsonNode json(Object report) {
    JsonNode tree = JSON.valueToTree(report);
    requireFinite(tree, report);
    return tree;
  }

  private static void requireFinite(JsonNode node, Object report) {
    if (node.isFloatingPointNumber()) {
      assertThat(node.doubleValue()).as("%s", report).isFinite();
    }
    node.forEach(child -> requireFinite(child, report));
  }
}
