package io.rollscope.store.query;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.QueueTime;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.Key;
import io.rollscope.otlp.RewardAttributes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads spans as numbers, their words once: a text takes JDBC as long as ten numbers. Words are
 * known by hashes of 63 bits: of a million different ones, two have the same in one of ten million
 * runs.
 */
final class SpanNumbers {
  private static final String PLACE =
      "batch, train_step, model_step, future_step, source_status, worker_role, worker_rank";
  private static final String TASK = "task, task_name";
  private static final String NAME = "kind, name, stage, outcome, source = 'otlp'";

  /** What {@link #add} reads. */
  static final String COLUMNS =
      "start_ns, end_ns, "
          + String.join(", ", half("span_id", 1), half("span_id", 9))
          + ", "
          + String.join(", ", half("parent_id", 1), half("parent_id", 9))
          + ", "
          + String.join(", ", key(PLACE), key(TASK), key(NAME))
          + ", nullif(concat_ws(': ', error_type, error_message), ''), "
          + Words.numberSaid(RewardAttributes.INPUT_TOKENS)
          + ", "
          + Words.numberSaid(RewardAttributes.OUTPUT_TOKENS)
          + ", "
          + Words.numberSaid(Key.QUEUE_TIME.texts());

  /** The first column after them. */
  static final int FURTHER = 14;

  private record Task(String task, String name) {}

  /**
   * @param number in the words of the rows
   * @param unseen whether it is a parent of which only children were heard of, if it is open
   * @param identified whether its source records ids; of files they are guessed, time tells as much
   */
  private record Name(int number, boolean unseen, Kind kind, Outcome outcome, boolean identified) {}

  private final SessionRows rows;
  private final Map<Long, Coordinates> places = new HashMap<>();
  private final Map<Long, Task> tasks = new HashMap<>();
  private final Map<Long, Name> names = new HashMap<>();

  /** Spans of a session mostly stand where the one before stood. */
  private long lastPlace;

  private long lastTask;
  private Coordinates lastSession;
  private int lastNumber;

  SpanNumbers(SessionRows rows) {
    this.rows = rows;
  }

  private static String half(String id, int from) {
    return "TRY_CAST('0x' || substr(" + id + ", " + from + ", 8) AS BIGINT)";
  }

  private static String key(String columns) {
    return "(hash(" + columns + ") >> 1)::BIGINT";
  }

  /** Reads the words of spans, before these are read. */
  void readWords(Query query, Sql spans) throws SQLException {
    query.each(
        distinct(PLACE, spans),
        row ->
            places.put(
                row.getLong(1),
                new Coordinates(
                    row.getString(2),
                    Cells.longOrNull(row, 3),
                    Cells.longOrNull(row, 4),
                    Cells.longOrNull(row, 5),
                    null,
                    null,
                    Cells.worker(row, 7),
                    row.getString(6))));
    query.each(
        distinct(TASK, spans),
        row -> tasks.put(row.getLong(1), new Task(row.getString(2), row.getString(3))));
    query.each(distinct(NAME, spans), row -> names.put(row.getLong(1), name(row)));
  }

  private static Sql distinct(String columns, Sql spans) {
    return Sql.of("SELECT DISTINCT " + key(columns) + ", " + columns + " FROM").plus(spans);
  }

  private Name name(ResultSet row) throws SQLException {
    SpanName name = new SpanName(row.getString(3), row.getString(4));
    return new Name(
        rows.chunk().words.names.intern(name),
        name.raw().equals(SpanName.NOT_YET_SEEN.raw()),
        SessionRows.KINDS.getOrDefault(row.getString(2), Kind.PHASE),
        SessionRows.OUTCOMES.getOrDefault(row.getString(5), Outcome.OK),
        row.getBoolean(6));
  }

  /**
   * Adds the span a result stands on, whose columns are {@link #COLUMNS}.
   *
   * @param lane its number, or 0 for a session that is still to be ended
   * @param session what its session says: it may have been stored before that was known
   */
  void add(ResultSet row, int lane, Coordinates session) throws SQLException {
    Chunk chunk = rows.chunk();
    Name name = names.get(row.getLong(9));
    Long end = Cells.longOrNull(row, 2);
    boolean leftOpen = end == null && !name.outcome().isOpen();
    String error = row.getString(10);
    chunk.add(
        lane,
        RowKind.of(RowKind.SPAN, leftOpen ? Outcome.OPEN : name.outcome(), name.kind()),
        name.unseen() && end == null
            ? chunk.words.names.intern(SpanName.NOT_YET_SEEN)
            : name.number(),
        row.getLong(1),
        end == null ? Nanos.OPEN : end,
        place(row.getLong(7), row.getLong(8), session),
        error == null ? -1 : chunk.words.notes.intern(error),
        0);
    if (name.identified()) {
      chunk.identify(row.getLong(3) << 32 | row.getLong(4), row.getLong(5) << 32 | row.getLong(6));
    }
    Double input = Cells.doubleOrNull(row, 11);
    Double output = Cells.doubleOrNull(row, 12);
    if (input != null || output != null) {
      chunk.tokens(tokens(input), tokens(output));
    }
    Double queued = Cells.doubleOrNull(row, 13);
    if (queued != null) {
      chunk.queued(QueueTime.ofSeconds(queued));
    }
  }

  private static long tokens(Double said) {
    return said == null ? -1 : RewardAndTokens.tokens(said);
  }

  @SuppressWarnings("ReferenceEquality") // Another session may say the same: that costs a look-up.
  private int place(long place, long task, Coordinates session) {
    if (place != lastPlace || task != lastTask || session != lastSession) {
      Coordinates at = places.get(place);
      Task of = tasks.get(task);
      Coordinates own =
          new Coordinates(
              at.batch(),
              at.trainStep(),
              at.modelStep(),
              at.futureStep(),
              of.task(),
              of.name(),
              at.worker(),
              at.sourceStatus());
      lastNumber = rows.chunk().words.coordinates.intern(own.in(session));
      lastPlace = place;
      lastTask = task;
      lastSession = session;
    }
    return lastNumber;
  }
}
