package io.rollscope.store.query;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Sessions read back from the store into a table of core's, so that core's views and accounting
 * tell of them what they tell of a folder's.
 */
final class SessionRows {
  /** What {@link #addSpan} reads. */
  static final String SPAN_COLUMNS =
      "batch, train_step, model_step, future_step, task, task_name, worker_role, worker_rank,"
          + " source_status, kind, name, stage, start_ns, end_ns, outcome, span_id, parent_id,"
          + " nullif(concat_ws(': ', error_type, error_message), ''), source";

  /** What {@link #facts} reads, of {@code sessions}. */
  static final String FACT_COLUMNS =
      "session, trace_id, batch, train_step, model_step, future_step, task, task_name,"
          + " worker_role, worker_rank, source_status, status, reason, start_ns, end_ns, finalised,"
          + " clock, inferred_group, reward, input_tokens, output_tokens";

  static final Map<String, Kind> KINDS = words(Kind.values());
  static final Map<String, Outcome> OUTCOMES = words(Outcome.values());
  private static final Map<String, Status> STATUSES = words(Status.values());

  /** So many rows wait to be moved into the table. */
  private static final int PIECE = 65_536;

  private final Chunk.Words words = new Chunk.Words();
  private Chunk chunk = new Chunk(words);
  private final SpanTable table = new SpanTable();
  private int firstRow;

  private static <E extends Enum<E>> Map<String, E> words(E[] values) {
    Map<String, E> words = new HashMap<>();
    for (E value : values) {
      words.put(value.name().toLowerCase(Locale.ROOT), value);
    }
    return words;
  }

  /** Where spans are added otherwise; another one after each end of a session. */
  Chunk chunk() {
    return chunk;
  }

  /** Number of a lane of a process, whose spans are added after all sessions. */
  int lane(String label, boolean relativeClock) {
    int known = table.findSession(label);
    boolean taken = known >= 0 && !table.isLane(known);
    return words.lane(taken ? label + "#lane" : label, relativeClock);
  }

  /**
   * Adds the span a result stands on, whose columns are {@link #SPAN_COLUMNS}.
   *
   * @param session what its session says: it may have been stored before that was known
   */
  void addSpan(ResultSet row, Coordinates session) throws SQLException {
    Coordinates at =
        new Coordinates(
            row.getString(1),
            Cells.longOrNull(row, 2),
            Cells.longOrNull(row, 3),
            Cells.longOrNull(row, 4),
            row.getString(5),
            row.getString(6),
            Cells.worker(row, 7),
            row.getString(9));
    Kind kind = KINDS.getOrDefault(row.getString(10), Kind.PHASE);
    SpanName name = new SpanName(row.getString(11), row.getString(12));
    boolean inferred = name.raw().equals(SpanName.NOT_YET_SEEN.raw());
    Long end = Cells.longOrNull(row, 14);
    Outcome said = OUTCOMES.getOrDefault(row.getString(15), Outcome.OK);
    Outcome outcome = end == null && !said.isOpen() ? Outcome.OPEN : said;
    String error = row.getString(18);
    chunk.add(
        0,
        RowKind.of(RowKind.SPAN, outcome, kind),
        chunk.words.names.intern(inferred && end == null ? SpanName.NOT_YET_SEEN : name),
        row.getLong(13),
        end == null ? Nanos.OPEN : end,
        chunk.words.coordinates.intern(at.in(session)),
        error == null ? -1 : chunk.words.notes.intern(error),
        0);
    if ("otlp".equals(row.getString(19))) { // Parents in files are guessed: time tells as much.
      chunk.identify(id(row.getString(16)), id(row.getString(17)));
    }
  }

  private static long id(String hex) {
    return hex == null ? 0 : Long.parseUnsignedLong(hex, 16);
  }

  /**
   * Ends a session: the spans added since the last one are its.
   *
   * @param lastNs when it was last heard of, or {@link Nanos#UNKNOWN} when its spans tell
   */
  void endSession(SessionFacts facts, long lastNs) {
    if (lastNs != Nanos.UNKNOWN) {
      chunk.add(
          0,
          RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE),
          chunk.words.names.intern(new SpanName("last heard of", "last heard of")),
          lastNs,
          Nanos.UNKNOWN,
          chunk.words.coordinates.intern(facts.at()),
          -1,
          0);
    }
    chunk.session(facts, firstRow);
    firstRow = chunk.rows();
    moveIfMany();
  }

  /** Moves what was added into the table, if it is much; not between the spans of a session. */
  void moveIfMany() {
    if (chunk.rows() >= PIECE) {
      move();
    }
  }

  private void move() {
    table.append(chunk, 0);
    chunk = new Chunk(words); // Its rows have no ids and tokens of others.
    firstRow = 0;
  }

  /** Moves what was added into the table. */
  SpanTable table() {
    move();
    return table;
  }

  /**
   * What a row of {@code sessions} says of one as a whole. Its columns are {@link #FACT_COLUMNS}.
   *
   * @param untilNs up to where its window reaches although it is not finalised, or {@link
   *     Nanos#UNKNOWN}
   */
  static SessionFacts facts(ResultSet row, long untilNs) throws SQLException {
    boolean finalised = row.getBoolean(16);
    Coordinates at =
        new Coordinates(
            row.getString(3),
            Cells.longOrNull(row, 4),
            Cells.longOrNull(row, 5),
            Cells.longOrNull(row, 6),
            row.getString(7),
            row.getString(8),
            Cells.worker(row, 9),
            row.getString(11));
    String clock = row.getString(17);
    return new SessionFacts(
        row.getString(1),
        row.getString(2),
        row.getString(7),
        null,
        at,
        row.getLong(14),
        finalised ? row.getLong(15) : untilNs,
        STATUSES.get(row.getString(12)),
        row.getString(13),
        Cells.rewardAndTokens(row, 19),
        clock != null && !clock.equals("utc"));
  }
}
