package io.rollscope.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The spans that overlap a window, the longest first as far as the budget goes. */
public final class Timeline {
  public static final int DEFAULT_BUDGET = 5_000;
  public static final int MAX_BUDGET = 50_000;

  /** What makes a lane. */
  public enum By {
    SESSION("session"),
    WORKER(Words.WORKER),
    TASK("task"),
    LANE("lane");

    private final String column;

    By(String column) {
      this.column = column;
    }

    /** The word used in the API. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The one with this word. */
    public static By named(String word) {
      for (By by : values()) {
        if (by.word().equals(word)) {
          return by;
        }
      }
      throw new IllegalArgumentException(
          "lane: " + word + " (expected: session, worker, task or lane)");
    }
  }

  /**
   * Which part of a run.
   *
   * @param fromNs the window's beginning, or null for the run's
   * @param toNs the window's end, or null for the run's
   * @param budget most spans, from 1 to {@link #MAX_BUDGET}
   */
  public record Window(Long fromNs, Long toNs, By by, int budget) {
    public Window {
      if (budget < 1 || budget > MAX_BUDGET) {
        throw new IllegalArgumentException(
            "budget: " + budget + " (expected: from 1 to " + MAX_BUDGET + ")");
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
  private final long fromNs;
  private final int[][] words = new int[6][];
  private final long[] starts;
  private final long[] durations;
  private final boolean[] open;
  private final String[] ids;
  private int count;

  private Timeline(long fromNs, int size) {
    this.fromNs = fromNs;
    for (int i = 0; i < words.length; i++) {
      words[i] = new int[size];
    }
    starts = new long[size];
    durations = new long[size];
    open = new boolean[size];
    ids = new String[size];
  }

  static TimelineReport of(Query query, Question question, Window window, String source)
      throws SQLException {
    Selection selection = Selection.of(query, question);
    Sql spans =
        selection.spans(
            window.by().column
                + " AS place, name, stage, kind, outcome, session, start_ns, end_ns,"
                + " span_id",
            window.by().column + " IS NOT NULL");
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
    query.each(
        Sql.of(
                "SELECT * FROM (SELECT *, greatest(0, coalesce(end_ns, ?) - start_ns) AS d",
                question.nowNs())
            .plus(inside)
            .plus("ORDER BY d DESC, start_ns, span_id LIMIT ?)", timeline.starts.length)
            .plus("ORDER BY place, start_ns, d DESC, span_id"),
        timeline::add);
    return timeline.report(question.run(), source, window.by(), extent.to(), all);
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
    durations[count++] = row.getLong(10);
  }

  private TimelineReport report(String run, String source, By by, long toNs, long all) {
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
        words[0],
        words[1],
        words[2],
        words[3],
        words[4],
        words[5],
        starts,
        durations,
        open,
        ids,
        all - count);
  }
}
