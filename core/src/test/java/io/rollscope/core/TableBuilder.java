package io.rollscope.core;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A made-up run: rows in the order they are told, as a reader would append them.
 *
 * <pre>{@code
 * SpanTable table = new TableBuilder().session("a").start("x", 1.0).end("x", 2.0).table();
 * }</pre>
 */
public final class TableBuilder {

  /** One row, before it is part of a table. Times in nanoseconds. */
  public record Row(
      String session,
      boolean lane,
      byte kind,
      String name,
      long time,
      long extent,
      Coordinates at,
      String error,
      long spanId,
      long parentId) {

    public Row withIds(long id, long parent) {
      return new Row(session, lane, kind, name, time, extent, at, error, id, parent);
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, SessionFacts> facts = new LinkedHashMap<>();

  /** The following rows belong to this session. */
  public SessionBuilder session(String key) {
    return new SessionBuilder(this, key, false);
  }

  /** The following rows belong to a track of a process's work. */
  public SessionBuilder lane(String label) {
    return new SessionBuilder(this, label, true);
  }

  /** All rows so far, in load order. */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** The table with all rows so far, read in one go. */
  public SpanTable table() {
    SpanTable table = new SpanTable();
    facts.forEach((key, said) -> appendWhole(table, said));
    List<Row> rest = rows.stream().filter(r -> !facts.containsKey(r.session())).toList();
    append(table, rest);
    return table;
  }

  /** Appends rows as one chunk, read by a thread that knows no words yet. */
  public static void append(SpanTable table, List<Row> rows) {
    append(table, rows, new Chunk.Words());
  }

  /** Appends rows as one chunk of a thread that has these words already. */
  public static void append(SpanTable table, List<Row> rows, Chunk.Words words) {
    Chunk chunk = new Chunk(words);
    for (Row row : rows) {
      int session =
          row.lane() ? words.lane(row.session(), false) : words.sessions.intern(row.session());
      add(chunk, session, row);
    }
    table.append(chunk, 0);
  }

  private void appendWhole(SpanTable table, SessionFacts said) {
    Chunk chunk = new Chunk(new Chunk.Words());
    for (Row row : rows) {
      if (row.session().equals(said.key())) {
        add(chunk, 0, row);
      }
    }
    chunk.session(said, 0);
    table.append(chunk, 0);
  }

  private static void add(Chunk chunk, int session, Row row) {
    Chunk.Words words = chunk.words;
    chunk.add(
        session,
        row.kind(),
        words.names.intern(new SpanName(row.name(), stageOf(row.name()))),
        row.time(),
        row.extent(),
        words.coordinates.intern(row.at()),
        row.error() == null ? -1 : words.notes.intern(row.error()),
        0);
    if (row.spanId() != 0 || row.parentId() != 0) {
      chunk.identify(row.spanId(), row.parentId());
    }
  }

  /** The stage of a raw name: what follows the last slash, so that names can share a stage. */
  public static String stageOf(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** The spans of one session of a table. */
  public static SessionSpans spans(SpanTable table, String session) {
    SessionSpans spans = new SessionSpans(table);
    spans.load(table.findSession(session));
    return spans;
  }

  /** Tells the rows of one session; times in seconds. */
  public static final class SessionBuilder {
    private final TableBuilder run;
    private final String key;
    private final boolean lane;
    private Coordinates at = Coordinates.NONE;

    private SessionBuilder(TableBuilder run, String key, boolean lane) {
      this.run = run;
      this.key = key;
      this.lane = lane;
    }

    /** Goes on with another session. */
    public SessionBuilder session(String other) {
      return run.session(other);
    }

    /** All rows told so far, in load order. */
    public List<Row> rows() {
      return run.rows();
    }

    public SpanTable table() {
      return run.table();
    }

    /** The spans of this session, in a table with everything told so far. */
    public SessionSpans spans() {
      return TableBuilder.spans(run.table(), key);
    }

    // ---- where the following rows belong -------------------------------------------------------

    public SessionBuilder at(Coordinates where) {
      at = where;
      return this;
    }

    public SessionBuilder batch(String id) {
      return at(
          new Coordinates(
              id,
              at.trainStep(),
              at.modelStep(),
              at.futureStep(),
              at.task(),
              at.taskName(),
              at.worker(),
              at.sourceStatus()));
    }

    public SessionBuilder steps(Integer train, Integer model, Integer future) {
      return at(
          new Coordinates(
              at.batch(),
              train == null ? null : Long.valueOf(train),
              model == null ? null : Long.valueOf(model),
              future == null ? null : Long.valueOf(future),
              at.task(),
              at.taskName(),
              at.worker(),
              at.sourceStatus()));
    }

    public SessionBuilder taskName(String name) {
      return at(
          new Coordinates(
              at.batch(),
              at.trainStep(),
              at.modelStep(),
              at.futureStep(),
              at.task(),
              name,
              at.worker(),
              at.sourceStatus()));
    }

    public SessionBuilder rank(Integer rank) {
      Worker worker = rank == null ? Worker.UNKNOWN : new Worker(null, Long.valueOf(rank));
      return at(
          new Coordinates(
              at.batch(),
              at.trainStep(),
              at.modelStep(),
              at.futureStep(),
              at.task(),
              at.taskName(),
              worker,
              at.sourceStatus()));
    }

    /** The source's own word for the state of the session. */
    public SessionBuilder word(String status) {
      return at(
          new Coordinates(
              at.batch(),
              at.trainStep(),
              at.modelStep(),
              at.futureStep(),
              at.task(),
              at.taskName(),
              at.worker(),
              status));
    }

    /** What the source says of the session as a whole; it is then appended at once. */
    public SessionBuilder facts(Double submitted, Double finalised, Status verdict, String reason) {
      SessionFacts said =
          new SessionFacts(
              key,
              null,
              null,
              null,
              at,
              nanos(submitted),
              nanos(finalised),
              verdict,
              reason,
              RewardAndTokens.NONE,
              false);
      run.facts.put(key, said);
      return this;
    }

    private static long nanos(Double seconds) {
      return seconds == null ? Nanos.UNKNOWN : Nanos.fromSeconds(seconds);
    }

    // ---- rows ----------------------------------------------------------------------------------

    public SessionBuilder start(String name, double time) {
      return add(RowKind.START, Outcome.OPEN, Kind.PHASE, name, time, Nanos.UNKNOWN, null);
    }

    public SessionBuilder end(String name, double time) {
      return add(RowKind.END, Outcome.OK, Kind.PHASE, name, time, Nanos.UNKNOWN, null);
    }

    /** An end that says how long the span took by a monotonic clock. */
    public SessionBuilder end(String name, double time, double elapsed) {
      long extent = Nanos.fromSeconds(elapsed);
      return add(RowKind.END, Outcome.OK, Kind.PHASE, name, time, extent, null);
    }

    public SessionBuilder error(String name, double time, String message) {
      return add(RowKind.END, Outcome.ERROR, Kind.PHASE, name, time, Nanos.UNKNOWN, message);
    }

    public SessionBuilder cancel(String name, double time) {
      return add(RowKind.END, Outcome.CANCELLED, Kind.PHASE, name, time, Nanos.UNKNOWN, null);
    }

    public SessionBuilder point(String name, double time) {
      return add(RowKind.POINT, Outcome.OK, Kind.PHASE, name, time, Nanos.UNKNOWN, null);
    }

    /** A whole span. */
    public SessionBuilder span(String name, double from, double to) {
      return span(name, from, to, Outcome.OK, Kind.PHASE);
    }

    public SessionBuilder span(String name, double from, double to, Outcome outcome, Kind kind) {
      return add(RowKind.SPAN, outcome, kind, name, from, Nanos.fromSeconds(to), null);
    }

    /** A whole span that has not ended. */
    public SessionBuilder open(String name, double from) {
      return add(RowKind.SPAN, Outcome.OPEN, Kind.PHASE, name, from, Nanos.OPEN, null);
    }

    /** A span that has not ended and whose process is dead. */
    public SessionBuilder lost(String name, double from) {
      return add(RowKind.SPAN, Outcome.LOST, Kind.PHASE, name, from, Nanos.OPEN, null);
    }

    /** Ids of the row told last. */
    public SessionBuilder ids(long id, long parent) {
      int last = run.rows.size() - 1;
      run.rows.set(last, run.rows.get(last).withIds(id, parent));
      return this;
    }

    private SessionBuilder add(
        int form, Outcome outcome, Kind kind, String name, double time, long extent, String error) {
      byte packed = RowKind.of(form, outcome, kind);
      long when = Nanos.fromSeconds(time);
      run.rows.add(new Row(key, lane, packed, name, when, extent, at, error, 0, 0));
      return this;
    }
  }
}
