package io.rollscope.store.query;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** A sample folder, read as the command line reads it and written as the store shows it. */
record StoredFolder(RunData run, Tables tables, long nowNs) implements AutoCloseable {
  private static final Path SAMPLES = Path.of("../formats/src/test/resources/samples");
  private static final long PLENTY = 512L << 20;

  /**
   * Reads a sample.
   *
   * @param scope open spans count up to the last event of this scope, as in folder reports
   */
  static StoredFolder of(String sample, Scope scope) throws IOException, SQLException {
    FolderReader reader =
        new FolderReader(new SourcePath(SAMPLES.resolve(sample).toString()), null, null, PLENTY);
    reader.readAll();
    RunData run = reader.runs().newest();
    StoredFolder stored = new StoredFolder(run, new Tables(), lastEvent(run.table(), scope));
    SessionSpans spans = new SessionSpans(run.table());
    for (int s = 0; s < run.table().sessionCount(); s++) {
      spans.load(s);
      if (run.table().isLane(s)) {
        stored.addLane(spans);
      } else {
        stored.addSession(spans);
      }
    }
    stored.tables.flush();
    return stored;
  }

  private static long lastEvent(SpanTable table, Scope scope) {
    boolean[] kept = scope.kept(table);
    long last = Long.MIN_VALUE;
    for (int id = 0; kept != null && id < kept.length; id++) {
      last = kept[id] ? Math.max(last, table.lastSeen(id)) : last;
    }
    return kept == null ? table.newestInstant() : last;
  }

  ReportContext context() {
    return new ReportContext("source", run.id(), new ReportContext.SkippedLines(0, List.of()));
  }

  Reports reports() {
    return new Reports(tables.snapshots(), "source");
  }

  Question question(Scope scope) {
    return Question.of(run.id(), scope, nowNs);
  }

  private long now(int session) {
    SpanTable table = run.table();
    return table.hasRelativeClock(session) ? table.newestInstant(session) : nowNs;
  }

  private void addSession(SessionSpans spans) throws SQLException {
    SpanTable table = run.table();
    int s = spans.session();
    SessionState state = SessionState.of(spans);
    Window window = Window.of(spans, state.status(), now(s));
    Accounting a = new Accounting();
    a.account(spans, window.from(), window.to(), window.finalised());
    String clock = table.hasRelativeClock(s) ? "relative:file" : "utc";
    long closesAt = window.finalised() ? window.to() : now(s);
    Long first = null;
    Long last = null;
    long told = 0;
    long open = 0;
    long errors = 0;
    for (int i = 0; i < spans.count(); i++) {
      told += spans.isInferred(i) ? 0 : 1; // As a server counts.
      open += spans.isOpen(i) ? 1 : 0;
      errors += spans.outcome(i) == Outcome.ERROR ? 1 : 0;
      if (spans.isWork(i)) {
        first = Math.min(first == null ? Long.MAX_VALUE : first, spans.start(i));
        last = Math.max(last == null ? Long.MIN_VALUE : last, spans.end(i, closesAt));
      }
      addSpan(spans, i, a.self(i), table.key(s), null, clock);
    }
    Coordinates at = state.at();
    tables.addSession(
        run.id(),
        table.key(s),
        table.traceId(s),
        batchOf(at),
        at.trainStep(),
        at.modelStep(),
        at.futureStep(),
        task(table, s, at),
        at.taskName(),
        state.status().word(),
        state.sourceStatus(),
        state.reason(),
        at.worker().role(),
        at.worker().rank(),
        window.from(),
        window.to(),
        window.finalised(),
        told,
        open,
        errors,
        first,
        last,
        a.wall(),
        a.queue(),
        a.gap(),
        a.barrier(),
        a.unaccounted(),
        a.outside(),
        clock,
        a.workEnd() - window.from(),
        a.ownEnd() - window.from(),
        table.noteText(table.inferredGroup(s)));
    for (int k = 0; k < a.candidateCount(); k++) {
      int leaf = a.candidateLeaf(k);
      tables.addCandidate(
          table.key(s),
          spans.stage(leaf),
          spans.kind(leaf).word(),
          hex(spans.spanId(leaf)),
          a.candidateFrom(k),
          a.candidateTo(k));
    }
  }

  private void addLane(SessionSpans spans) throws SQLException {
    SpanTable table = run.table();
    int s = spans.session();
    Window window = Window.of(spans, Status.COMPLETED, now(s));
    Accounting a = new Accounting();
    a.account(spans, window.from(), window.to(), window.finalised());
    String clock = table.hasRelativeClock(s) ? "relative:file" : "utc";
    for (int i = 0; i < spans.count(); i++) {
      addSpan(spans, i, a.self(i), null, table.key(s), clock);
    }
  }

  private void addSpan(
      SessionSpans spans, int i, long self, String session, String lane, String clock)
      throws SQLException {
    SpanTable table = run.table();
    Coordinates at = spans.at(i);
    tables.addSpan(
        null,
        run.id(),
        batchOf(at),
        at.trainStep(),
        at.modelStep(),
        at.futureStep(),
        at.task(),
        at.taskName(),
        session,
        table.traceId(spans.session()),
        hex(spans.spanId(i)),
        hex(spans.parentId(i)),
        spans.kind(i).word(),
        table.nameOf(spans.name(i)).raw(),
        spans.stage(i),
        spans.start(i),
        spans.isOpen(i) ? null : spans.end(i),
        self,
        spans.outcome(i).word(),
        null,
        at.sourceStatus(),
        null,
        null,
        spans.error(i),
        at.worker().role(),
        at.worker().rank(),
        null,
        null,
        null,
        lane,
        1L,
        clock,
        spans.hasParents() ? "otlp" : "folder",
        0L);
  }

  /** Task ids of AReaL's are unique per process only. */
  private static String task(SpanTable table, int s, Coordinates at) {
    return table.taskId(s) < 0 ? at.task() : table.task(s);
  }

  private static String hex(long id) {
    return id == 0 ? null : String.format("%016x", id);
  }

  private static String batchOf(Coordinates c) {
    if (c.batch() != null || c.trainStep() == null) {
      return c.batch();
    }
    return "train_step="
        + c.trainStep()
        + (c.modelStep() == null ? "" : "/model_step=" + c.modelStep())
        + (c.futureStep() == null ? "" : "/future_step=" + c.futureStep());
  }

  @Override
  public void close() throws SQLException {
    tables.close();
  }
}
