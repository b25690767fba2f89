package io.rollscope.store.query;

import io.rollscope.core.view.LaneInfo;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.core.view.TimelineReport.By;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The spans that overlap a window, the longest first as far as the budget goes. */
public final class Timeline {
  private static final int MAX_DEPTH = 1_000;

  /**
   * Which part of a run.
   *
   * @param fromNs the window's beginning, or null for the run's
   * @param toNs the window's end, or null for the run's
   * @param budget most spans, from 1 to {@link TimelineReport#MAX_BUDGET}
   */
  public record Window(Long fromNs, Long toNs, By by, int budget) {
    public Window {
      if (budget < 1 || budget > TimelineReport.MAX_BUDGET) {
        throw new IllegalArgumentException(
            "budget: " + budget + " (expected: from 1 to " + TimelineReport.MAX_BUDGET + ")");
      }
    }
  }

  private static final class Dictionary {
    private final Map<String, Integer> places = new LinkedHashMap<>();

    int place(String word) {
      return word == null ? -1 : places.computeIfAbsent(word, w -> places.size());
    }

    List<String> words() {
      return new ArrayList<>(places.keySet());
    }
  }

  private final Dictionary lanes = new Dictionary();
  private final Dictionary names = new Dictionary();
  private final Dictionary stages = new Dictionary();
  private final Dictionary kinds = new Dictionary();
  private final Dictionary outcomes = new Dictionary();
  private final Dictionary sessions = new Dictionary();
  private final Dictionary errors = new Dictionary();
  private final Dictionary overlapped = new Dictionary();
  private final long fromNs;
  private final int[][] words = new int[8][];
  private final long[] starts;
  private final long[] durations;
  private final long[] selfs;
  private final boolean[] open;
  private final String[] ids;
  private final String[] parentIds;
  private int count;

  private Timeline(long fromNs, int size) {
    this.fromNs = fromNs;
    for (int i = 0; i < words.length; i++) {
      words[i] = new int[size];
    }
    starts = new long[size];
    durations = new long[size];
    selfs = new long[size];
    open = new boolean[size];
    ids = new String[size];
    parentIds = new String[size];
  }

  static TimelineReport of(Query query, Question question, Window window, String source)
      throws SQLException {
    Selection selection = Selection.of(query, question);
    Sql spans =
        selection.spans(
            column(window.by())
                + " AS place, name, stage, kind, outcome, session, start_ns, end_ns,"
                + " span_id, parent_id, self_ns, CASE WHEN outcome = 'error' THEN "
                + Words.ERROR
                + " END AS error, "
                + overlaps(window.by()),
            column(window.by()) + " IS NOT NULL");
    Extent extent = Extent.of(query, selection, window.fromNs(), window.toNs(), question.nowNs());
    Sql inside =
        Sql.of("FROM (")
            .plus(spans)
            .plus(
                ") WHERE start_ns < ? AND (end_ns > ? OR end_ns IS NULL",
                extent.to(),
                extent.from())
            .plus("OR (start_ns = end_ns AND end_ns = ?))", extent.from());
    long all = query.first(Sql.of("SELECT count(*)").plus(inside), row -> row.getLong(1));
    Timeline timeline = new Timeline(extent.from(), (int) Math.min(all, window.budget()));
    Sql length = Sql.of("greatest(0, coalesce(end_ns, ?) - start_ns)", question.nowNs());
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE shown AS SELECT *,")
            .plus(length)
            .plus("AS d")
            .plus(inside)
            .plus("AND d >= ?", shortest(query, length, inside, all, timeline.starts.length))
            .plus("ORDER BY d DESC, start_ns, span_id, session LIMIT ?", timeline.starts.length));
    query.execute(
        Sql.of("UPDATE shown SET self_ns = self_ns + more FROM (")
            .plus("SELECT session AS id, c.span_id AS span, sum(c.to_ns)::BIGINT AS more FROM")
            .plus(SelfTimes.restated(question.run()))
            .plus("GROUP BY id, span) WHERE session = id AND span_id = span"));
    query.each(
        Sql.of("SELECT * FROM shown ORDER BY place, start_ns, d DESC, span_id, session"),
        timeline::add);
    LaneInfo info = timeline.laneInfo(query, selection, window.by());
    return timeline.report(question.run(), source, window.by(), extent.to(), all, info);
  }

  private static String column(By by) {
    return by == By.WORKER ? Words.WORKER : by.word();
  }

  /** About how long the shortest of the {@code most} longest is: the others need not be sorted. */
  private static long shortest(Query query, Sql length, Sql inside, long all, int most)
      throws SQLException {
    if (most >= all) {
      return 0;
    }
    double below = Math.max(0, (all - most - 1.0) / all);
    return query.first(
        Sql.of("SELECT quantile_disc(").plus(length).plus(", " + below + ")").plus(inside),
        row -> row.getLong(1));
  }

  /** Only where lanes are shown: attributes take long to read. */
  private static String overlaps(By by) {
    String value =
        by == By.LANE
            ? "CASE WHEN kind = 'state' THEN attributes['rl.state.overlaps'] END"
            : "NULL::VARCHAR";
    return value + " AS overlaps";
  }

  private LaneInfo laneInfo(Query query, Selection selection, By by) throws SQLException {
    LaneInfo info = LaneInfo.of(lanes.words(), by);
    if (by == By.SESSION) {
      query.each(
          Sql.of("SELECT session, task, task_name, worker_role, worker_rank, status, batch,")
              .plus("start_ns, wall_ns FROM")
              .plus(selection.sessions())
              .plus("WHERE session IN (SELECT place FROM shown)"),
          row -> add(info, lanes.place(row.getString(1)), row));
    }
    return info;
  }

  /** Adds what a row of {@code sessions} says, from the task on. */
  private static void add(LaneInfo info, int lane, ResultSet row) throws SQLException {
    info.task()[lane] = row.getString(2);
    info.taskName()[lane] = row.getString(3);
    info.worker()[lane] = Cells.worker(row, 4).label();
    info.status()[lane] = row.getString(6);
    info.batch()[lane] = row.getString(7);
    info.startS()[lane] = Cells.secondsOrNull(row, 8);
    info.wallS()[lane] = Cells.secondsOrNull(row, 9);
  }

  private void add(ResultSet row) throws SQLException {
    words[0][count] = lanes.place(row.getString(1));
    words[1][count] = names.place(row.getString(2));
    words[2][count] = stages.place(row.getString(3));
    words[3][count] = kinds.place(row.getString(4));
    words[4][count] = outcomes.place(row.getString(5));
    words[5][count] = sessions.place(row.getString(6));
    starts[count] = row.getLong(7) - fromNs;
    open[count] = row.getObject(8) == null;
    ids[count] = row.getString(9);
    parentIds[count] = row.getString(10);
    selfs[count] = row.getLong(11);
    words[6][count] = errors.place(row.getString(12));
    words[7][count] = overlapped.place(row.getString(13));
    durations[count++] = row.getLong(14);
  }

  /** Places of the spans around those of the list, as far as these are in it. */
  private int[] parents() {
    record Id(int session, String span) {}
    Map<Id, Integer> places = new HashMap<>();
    for (int i = 0; i < count; i++) {
      places.putIfAbsent(new Id(words[5][i], ids[i]), i);
    }
    int[] parents = new int[count];
    for (int i = 0; i < count; i++) {
      Integer parent = parentIds[i] == null ? null : places.get(new Id(words[5][i], parentIds[i]));
      parents[i] = parent == null || parent == i ? -1 : parent;
    }
    return parents;
  }

  /** How many spans of the list are around each; circles do not end otherwise. */
  private static int[] depths(int[] parents) {
    int[] depths = new int[parents.length];
    for (int i = 0; i < parents.length; i++) {
      for (int up = parents[i]; up >= 0 && depths[i] < MAX_DEPTH; up = parents[up]) {
        depths[i]++;
      }
    }
    return depths;
  }

  private TimelineReport report(
      String run, String source, By by, long toNs, long all, LaneInfo info) {
    int[] parents = parents();
    return new TimelineReport(
        source,
        run,
        fromNs,
        toNs,
        by.word(),
        lanes.words(),
        names.words(),
        stages.words(),
        kinds.words(),
        outcomes.words(),
        sessions.words(),
        errors.words(),
        overlapped.words(),
        words[0],
        words[1],
        words[2],
        words[3],
        words[4],
        words[5],
        words[6],
        words[7],
        parents,
        depths(parents),
        starts,
        durations,
        selfs,
        open,
        ids,
        info,
        all - count);
  }
}
