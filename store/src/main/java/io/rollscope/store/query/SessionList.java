package io.rollscope.store.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionListReport.Row;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Sessions, page by page. A cursor names the last row seen, so that new sessions shift nothing. */
final class SessionList {
  static final int MAX_LIMIT = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, String> COLUMNS =
      Map.of(
          "start", "start_ns",
          "end", "end_ns",
          "wall", "wall_ns",
          "session", "session",
          "status", "status");

  private record Order(String sort, String column, boolean descending) {
    static Order of(String sort) {
      boolean descending = sort.startsWith("-");
      String column = COLUMNS.get(descending ? sort.substring(1) : sort);
      if (column == null) {
        throw new IllegalArgumentException(
            "sort: "
                + sort
                + " (expected: start, end, wall, session or status, with - for descending)");
      }
      return new Order(sort, column, descending);
    }
  }

  private record Seen(Row row, Object value) {}

  /** Where the sessions of a page are, so that not all segments are read for them. */
  private record Bounds(
      long firstNs, long lastNs, String firstBatch, String lastBatch, boolean withoutBatch) {
    static Bounds of(ResultSet row) throws SQLException {
      return new Bounds(
          row.getLong(1), row.getLong(2), row.getString(3), row.getString(4), row.getBoolean(5));
    }

    /** Which sessions may be in a group with them. */
    Sql groups() {
      return withoutBatch ? Sql.of("TRUE") : Sql.of("batch BETWEEN ? AND ?", firstBatch, lastBatch);
    }
  }

  private SessionList() {}

  static SessionListReport of(
      Query query, Question question, String sort, int limit, String cursor, String source)
      throws SQLException {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit: " + limit + " (expected: from 1 to " + MAX_LIMIT + ")");
    }
    Order order = Order.of(sort);
    Sql after = cursor == null ? Sql.of("TRUE") : after(order, cursor);
    Selection selection = Selection.of(query, question);
    long total =
        query.first(
            Sql.of("SELECT count(*) FROM").plus(selection.sessions()), row -> row.getLong(1));
    String by = "ORDER BY " + order.column() + (order.descending() ? " DESC" : "") + ", session";
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE page AS SELECT session, start_ns, batch FROM")
            .plus(selection.sessions())
            .plus("WHERE")
            .plus(after)
            .plus(by + " LIMIT ?", limit + 1));
    List<Seen> seen = rows(query, selection, order.column(), by);
    boolean more = seen.size() > limit;
    List<Row> rows = new ArrayList<>();
    seen.subList(0, more ? limit : seen.size()).forEach(s -> rows.add(s.row()));
    return new SessionListReport(
        source,
        question.run(),
        question.scope().word(),
        total,
        rows,
        more ? cursor(order, seen.get(limit - 1)) : null);
  }

  /** Only now all there is to tell of them: that takes long of many. */
  private static List<Seen> rows(Query query, Selection selection, String column, String by)
      throws SQLException {
    Bounds bounds =
        query.first(
            Sql.of("SELECT min(start_ns), max(start_ns), min(batch), max(batch),")
                .plus("count(*) > count(batch) FROM page"),
            Bounds::of);
    Sql page =
        Sql.of("(SELECT * FROM")
            .plus(selection.sessions())
            .plus("WHERE start_ns BETWEEN ? AND ?", bounds.firstNs(), bounds.lastNs())
            .plus("AND session IN (SELECT session FROM page))");
    return query.list(
        Sql.of("SELECT session, trace_id, batch, train_step, task, task_name, status,")
            .plus("source_status, reason, worker_role, worker_rank, start_ns, end_ns,")
            .plus("finalised, clock, wall_ns, span_count, open_count, error_count, " + column)
            .plus(", reward, input_tokens, output_tokens, " + Cells.WAITS + " FROM")
            .plus(selection.sessionsInGroups(page, bounds.groups()))
            .plus(by),
        row -> new Seen(row(row), row.getObject(20)));
  }

  private static Row row(ResultSet row) throws SQLException {
    RewardAndTokens got = Cells.rewardAndTokens(row, 21);
    return new Row(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        Cells.longOrNull(row, 4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        Cells.worker(row, 10).label(),
        row.getLong(12) / 1e9,
        row.getLong(13) / 1e9,
        row.getBoolean(14),
        !"utc".equals(row.getString(15)),
        row.getLong(16) / 1e9,
        Cells.waits(row, 24),
        row.getLong(17),
        row.getLong(18),
        row.getLong(19),
        got.reward(),
        got.inputTokens(),
        got.outputTokens());
  }

  private static String cursor(Order order, Seen last) {
    try {
      byte[] json =
          JSON.writeValueAsBytes(List.of(order.sort(), last.value(), last.row().session()));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Sql after(Order order, String cursor) {
    JsonNode seen;
    try {
      seen = JSON.readTree(Base64.getUrlDecoder().decode(cursor));
    } catch (IOException | IllegalArgumentException e) {
      throw badCursor(cursor);
    }
    if (seen == null || seen.size() != 3 || !order.sort().equals(seen.path(0).textValue())) {
      throw badCursor(cursor);
    }
    boolean number = order.column().endsWith("_ns");
    JsonNode last = seen.get(1);
    if (number ? !last.canConvertToLong() : !last.isTextual() || !seen.get(2).isTextual()) {
      throw badCursor(cursor);
    }
    Object value = number ? (Object) last.longValue() : last.textValue();
    String session = seen.get(2).asText();
    String column = order.column();
    return Sql.of(
        "("
            + column
            + (order.descending() ? " < ?" : " > ?")
            + " OR ("
            + column
            + " = ?"
            + " AND session > ?))",
        value,
        value,
        session);
  }

  private static IllegalArgumentException badCursor(String cursor) {
    return new IllegalArgumentException(
        "cursor: " + cursor + " (expected: the cursor of a page with the same sort)");
  }
}
