package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.Containment;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.formats.output.OutputFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes sessions as OTLP-JSON lines that any OpenTelemetry backend takes and Rollscope reads back
 * with the same fates and durations. A session whose source has no span ids gets a root span that
 * carries its fate; what lies inside what is then told by time.
 */
public final class OtlpWriter {

  /**
   * What was written.
   *
   * @param leftOut rows that OTLP has no place for: those on a process's own clock, and points of
   *     sessions without a root span of ours
   */
  public record Result(long sessions, long spans, long leftOut) {}

  private record Occurrence(int name, long firstNs) {}

  private final SpanTable table;
  private final SessionSpans spans;
  private final DerivedIds ids;
  private final ExportRequests requests;
  private final Containment containment;
  private final Map<Occurrence, Integer> occurrences = new HashMap<>();

  private String[] spanIds = new String[64];
  private long sessions;
  private long leftOut;

  private OtlpWriter(SpanTable table, String run, OutputFile output) {
    this.table = table;
    this.spans = new SessionSpans(table);
    this.ids = new DerivedIds(run);
    this.requests = new ExportRequests(run, output.stream());
    this.containment = new Containment(spans);
  }

  /** Writes all sessions of a run. The caller commits the output. */
  public static Result write(SpanTable table, String run, OutputFile output) throws IOException {
    OtlpWriter writer = new OtlpWriter(table, run, output);
    for (int s = 0; s < table.sessionCount(); s++) {
      writer.writeSession(s);
    }
    writer.requests.finish();
    return new Result(writer.sessions, writer.requests.spans(), writer.leftOut);
  }

  private void writeSession(int s) throws IOException {
    spans.load(s);
    boolean lane = table.isLane(s);
    if (lane && table.hasRelativeClock(s)) {
      // Beside spans on the wall clock they would seem to be of 1970.
      leftOut += spans.rowCount();
      return;
    }
    sessions += lane ? 0 : 1;
    String trace = ids.trace(table.traceId(s));
    boolean hasRoot = !lane && !hasOwnIds();
    identify();
    String root = hasRoot ? ids.span(table.traceId(s), "session", first(), 0) : "";
    SessionState state = SessionState.of(spans);
    if (hasRoot) {
      writeRoot(trace, root, state);
    } else {
      leftOut += countPoints();
    }
    if (hasRoot) {
      containment.find();
    }
    for (int i = 0; i < spans.count(); i++) {
      if (!spans.isInferred(i)) {
        writeSpan(i, trace, hasRoot ? parentInside(i, root) : ownParent(i), state);
      }
    }
  }

  private boolean hasOwnIds() {
    for (int i = 0; i < spans.count(); i++) {
      if (spans.spanId(i) != 0) {
        return true;
      }
    }
    return false;
  }

  private void identify() {
    if (spanIds.length < spans.count()) {
      spanIds = new String[Math.max(spans.count(), spanIds.length * 2)];
    }
    occurrences.clear();
    for (int i = 0; i < spans.count(); i++) {
      if (spans.spanId(i) != 0) {
        spanIds[i] = hex(spans.spanId(i));
        continue;
      }
      int row = spans.startRow(i) >= 0 ? spans.startRow(i) : spans.endRow(i);
      Occurrence key = new Occurrence(spans.name(i), table.time(row));
      int before = occurrences.merge(key, 1, Integer::sum) - 1;
      String name = table.nameOf(spans.name(i)).raw();
      spanIds[i] = ids.span(table.traceId(spans.session()), name, key.firstNs(), before);
    }
  }

  private static String hex(long id) {
    return java.util.HexFormat.of().toHexDigits(id);
  }

  private String ownParent(int i) {
    return spans.parentId(i) == 0 ? "" : hex(spans.parentId(i));
  }

  private String parentInside(int i, String root) {
    int around = containment.around(i);
    return around < 0 ? root : spanIds[around];
  }

  private int countPoints() {
    int points = 0;
    for (int i = 0; i < spans.rowCount(); i++) {
      points += isPoint(spans.row(i)) ? 1 : 0;
    }
    return points;
  }

  private boolean isPoint(int row) {
    return RowKind.form(table.kind(row)) == RowKind.POINT;
  }

  private long first() {
    long submitted = table.submitted(spans.session());
    return submitted != Nanos.UNKNOWN ? submitted : spans.earliestTime();
  }

  private void writeRoot(String trace, String id, SessionState state) throws IOException {
    int s = spans.session();
    Status status = state.status();
    long end = Nanos.OPEN;
    if (!status.isUnfinished() && status != Status.LOST) {
      long finalised = table.finalised(s);
      end = finalised != Nanos.UNKNOWN ? finalised : Math.max(first(), spans.latestTime());
    }
    requests.begin(trace, id, "", "session", first(), end);
    attributes(Kind.SESSION, state.at(), state);
    // A session that runs is one whose spans are open; said explicitly it would stay so for ever.
    requests.attribute("rl.status", status == Status.RUNNING ? null : status.word());
    requests.attribute("rl.reason", state.reason());
    requests.endAttributes();
    for (int i = 0; i < spans.rowCount(); i++) {
      if (isPoint(spans.row(i))) {
        int row = spans.row(i);
        requests.event(table.nameOf(table.name(row)).raw(), table.time(row));
      }
    }
    requests.end();
  }

  private void writeSpan(int i, String trace, String parent, SessionState state)
      throws IOException {
    SpanName name = table.nameOf(spans.name(i));
    requests.begin(trace, spanIds[i], parent, name.raw(), spans.start(i), spans.end(i));
    Coordinates at = spans.at(i);
    attributes(spans.kind(i), at, state);
    requests.attribute("rl.stage", name.stage());
    if (GroupMark.isGroupSpan(name.raw())) {
      requests.attribute(GroupMark.ATTRIBUTE, table.noteText(table.inferredGroup(spans.session())));
    }
    if (spans.kind(i) == Kind.SESSION) {
      Status verdict = table.verdict(spans.session());
      requests.attribute("rl.status", verdict == null ? at.sourceStatus() : verdict.word());
      requests.attribute("rl.reason", state.reason());
    } else {
      requests.attribute("rl.status", at.sourceStatus());
    }
    Outcome outcome = spans.outcome(i);
    boolean failed = outcome == Outcome.ERROR || outcome == Outcome.CANCELLED;
    if (failed) {
      ErrorWords error = ErrorWords.of(spans.error(i), outcome);
      requests.attribute("error.type", error.type());
      requests.attribute("error.message", error.message());
    }
    requests.endAttributes();
    if (failed) {
      requests.failed();
    }
    requests.end();
  }

  private void attributes(Kind kind, Coordinates at, SessionState state) {
    int s = spans.session();
    requests.attribute("rl.kind", kind.word());
    requests.attribute(table.isLane(s) ? "rl.lane" : "rl.session.id", table.key(s));
    requests.attribute("rl.task.id", at.task() != null ? at.task() : state.at().task());
    requests.attribute("rl.task.name", at.taskName());
    requests.attribute("rl.train_step", at.trainStep());
    requests.attribute("rl.model_step", at.modelStep());
    requests.attribute("rl.future_step", at.futureStep());
    requests.attribute("rl.batch.id", at.batch());
    requests.attribute("rl.worker.role", at.worker().role());
    requests.attribute("rl.worker.rank", at.worker().rank());
  }
}
