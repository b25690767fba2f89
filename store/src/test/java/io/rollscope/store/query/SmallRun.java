package io.rollscope.store.query;

import java.sql.SQLException;
import java.util.Map;

/** A made-up run in tables: sessions of one batch with spans one after the other. Times in s. */
final class SmallRun {
  static final long SECOND = 1_000_000_000;

  private final Tables tables;
  private final String run;
  private int spans;

  SmallRun(Tables tables, String run) {
    this.tables = tables;
    this.run = run;
  }

  /** A session that generates, then is rewarded, each a second long, and ends. */
  void session(String session, String batch, long step, long startS) throws SQLException {
    long start = startS * SECOND;
    span(session, batch, step, "generate", start, start + SECOND, "ok", null, Map.of("a", "old"));
    span(
        session,
        batch,
        step,
        "reward",
        start + SECOND,
        start + 2 * SECOND,
        "error",
        "Timeout",
        Map.of("a", "new", "b", "1"));
    row(session, batch, step, "failed", start, start + 2 * SECOND, 2, 0);
  }

  /** A session that has generated for as long as it exists. */
  void running(String session, String batch, long step, long startS, long nowS)
      throws SQLException {
    span(session, batch, step, "generate", startS * SECOND, null, "open", null, Map.of());
    row(session, batch, step, "running", startS * SECOND, nowS * SECOND, 1, 1);
  }

  void span(
      String session,
      String batch,
      Long step,
      String stage,
      long start,
      Long end,
      String outcome,
      String error,
      Map<String, String> attributes)
      throws SQLException {
    add(session, null, batch, step, stage, start, end, outcome, error, attributes, null);
  }

  /** Work of a process. */
  void lane(String lane, String stage, long startS, long endS) throws SQLException {
    long start = startS * SECOND;
    add(null, lane, null, null, stage, start, endS * SECOND, "ok", null, Map.of(), null);
  }

  /** A span of a session that lies in another. */
  void inside(String session, String batch, String stage, double from, double to, String parent)
      throws SQLException {
    long start = Math.round(from * SECOND);
    long end = Math.round(to * SECOND);
    add(session, null, batch, null, stage, start, end, "ok", null, Map.of(), parent);
  }

  /** The id of the n-th span. */
  String idOf(int n) {
    return String.format("%016x", n);
  }

  private void add(
      String session,
      String lane,
      String batch,
      Long step,
      String stage,
      long start,
      Long end,
      String outcome,
      String error,
      Map<String, String> attributes,
      String parent)
      throws SQLException {
    String id = idOf(++spans);
    tables.addSpan(
        attributes,
        run,
        batch,
        step,
        null,
        null,
        "task of " + session,
        "math",
        session,
        "trace",
        id,
        parent,
        "phase",
        "rl." + stage,
        stage,
        start,
        end,
        end == null ? 0L : end - start,
        outcome,
        null,
        null,
        null,
        error,
        error == null ? null : "too slow",
        "actor",
        3L,
        "host",
        1L,
        "i",
        lane,
        1L,
        "utc",
        "test",
        0L);
  }

  void row(
      String session,
      String batch,
      Long step,
      String status,
      long start,
      long end,
      long spanCount,
      long open)
      throws SQLException {
    tables.addSession(
        run,
        session,
        "trace",
        batch,
        step,
        null,
        null,
        "task of " + session,
        "math",
        status,
        null,
        null,
        "actor",
        3L,
        start,
        end,
        false,
        spanCount,
        open,
        spanCount - 1,
        start,
        end,
        end - start,
        0L,
        0L,
        0L,
        0L,
        0L,
        "utc",
        end - start,
        end - start,
        null);
  }
}
