package io.rollscope.store.segment;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.RewardAttributes;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotTrace;
import io.rollscope.store.hot.ReturnedSession;
import io.rollscope.store.hot.ReturnedSession.Decided;
import io.rollscope.store.hot.ReturnedSession.Row;
import io.rollscope.store.hot.ReturnedSession.SealedSpan;
import io.rollscope.store.hot.SessionKey;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Finds in segments what is known of sessions that something new came in for, so that their time is
 * accounted for as a whole again.
 */
public final class Returning {
  private static final int AT_ONCE = 200;
  private static final int TRACES_AT_ONCE = 2_000;

  /** What of a span's row tells about its session: {@link #sealedSpan} reads it by position. */
  static final String SPAN_COLUMNS =
      "run, session, trace_id, span_id, parent_id, name, kind, start_ns, end_ns, outcome,"
          + " error_type, error_message, batch, train_step, model_step, future_step, task,"
          + " task_name, stage, attempt, worker_role, worker_rank, status, source_status, reason,"
          + " instance, clock, source, self_ns, ingest_ns,"
          + " CASE WHEN kind = 'session' OR attributes['"
          + GroupMark.ATTRIBUTE
          + "'] IS NOT NULL THEN attributes ELSE map_from_entries(list_filter("
          + "map_entries(attributes), e -> e.key IN ("
          + RewardAttributes.KEYS.stream().map(Duck::quoted).collect(Collectors.joining(", "))
          + "))) END AS attributes";

  /** Files of earlier versions have no such columns. */
  private static final String LATE_COLUMNS =
      " UNION ALL BY NAME SELECT NULL::DOUBLE AS reward, NULL::BIGINT AS reward_ns,"
          + " NULL::BIGINT AS input_tokens, NULL::BIGINT AS input_tokens_ns,"
          + " NULL::BIGINT AS output_tokens, NULL::BIGINT AS output_tokens_ns WHERE false";

  private final Segments segments;

  public Returning(Segments segments) {
    this.segments = segments;
  }

  /** Looks for sessions, and for sessions of traces, in the segments of the last hour. */
  public List<ReturnedSession> find(HotStore.Newcomers known, long nowNs) throws IOException {
    List<Segment> recent = recent(nowNs);
    List<SessionKey> keys = new ArrayList<>(known.sessions());
    keys.addAll(sessions(known.traces(), recent));
    return fetch(keys, recent);
  }

  /** Looks for sessions in all segments, and for sessions of traces in those of the last hour. */
  public List<ReturnedSession> findEverywhere(HotStore.Newcomers known, long nowNs)
      throws IOException {
    Set<SessionKey> keys = new LinkedHashSet<>(known.sessions());
    keys.addAll(sessions(known.traces(), recent(nowNs)));
    return fetch(List.copyOf(keys));
  }

  private List<Segment> recent(long nowNs) {
    // Ids are remembered for longer while the journal holds what they protect.
    long since = Math.min(nowNs - SealedIds.REMEMBERED_NS, segments.rememberedSinceNs());
    return segments.manifest().segments().stream().filter(s -> s.sealedNs() >= since).toList();
  }

  /** What these segments hold of sessions. */
  private List<ReturnedSession> fetch(List<SessionKey> keys, List<Segment> in) throws IOException {
    Map<SessionKey, ReturnedSession> found = new HashMap<>();
    try (Connection connection = segments.duck().connect()) {
      for (int from = 0; from < keys.size(); from += AT_ONCE) {
        List<SessionKey> some = keys.subList(from, Math.min(keys.size(), from + AT_ONCE));
        parts(connection, some, in, found);
        spans(connection, some, in, found);
      }
    } catch (SQLException e) {
      throw unreadable(e);
    }
    return List.copyOf(found.values());
  }

  /** What all segments hold of sessions: their session rows are read once, for all of them. */
  public List<ReturnedSession> fetch(List<SessionKey> keys) throws IOException {
    List<Segment> all = segments.manifest().segments();
    String files = files(all, Segment::sessions, Segment::sessionsFile, ", filename = true");
    if (files == null || keys.isEmpty()) {
      return List.of();
    }
    Map<String, Segment> byFile = new HashMap<>();
    all.forEach(s -> byFile.put(segments.folder().resolve(s.sessionsFile()).toString(), s));
    Set<Segment> holders = new LinkedHashSet<>();
    Set<SessionKey> held = new LinkedHashSet<>();
    String sql =
        """
        SELECT DISTINCT run, session, filename
        FROM %s SEMI JOIN temp.wanted USING (run, session)
        """
            .formatted(files);
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement()) {
      want(connection, statement, keys);
      try (ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          held.add(new SessionKey(rows.getString(1), rows.getString(2), false));
          holders.add(byFile.get(rows.getString(3)));
        }
      }
    } catch (SQLException e) {
      throw unreadable(e);
    }
    return fetch(List.copyOf(held), List.copyOf(holders));
  }

  private static void want(Connection connection, Statement statement, List<SessionKey> keys)
      throws SQLException {
    statement.execute("CREATE TEMP TABLE wanted (run VARCHAR, session VARCHAR)");
    try (DuckDBAppender rows =
        ((DuckDBConnection) connection).createAppender("temp", "main", "wanted")) {
      for (SessionKey key : keys) {
        rows.beginRow();
        rows.append(key.run());
        rows.append(key.id());
        rows.endRow();
      }
    }
  }

  private static IOException unreadable(SQLException e) {
    return new IOException("segments cannot be read: " + Segments.firstLine(e), e);
  }

  /** The sessions that spans of these traces belong to. */
  public Set<SessionKey> sessions(List<HotTrace> traces, List<Segment> in) throws IOException {
    Set<SessionKey> keys = new HashSet<>();
    String files = files(in, Segment::spans, Segment::spansFile, "");
    if (files == null || traces.isEmpty()) {
      return keys;
    }
    try (Connection connection = segments.duck().connect()) {
      for (int from = 0; from < traces.size(); from += TRACES_AT_ONCE) {
        int to = Math.min(traces.size(), from + TRACES_AT_ONCE);
        sessions(connection, traces.subList(from, to), files, keys);
      }
      return keys;
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  private static void sessions(
      Connection connection, List<HotTrace> traces, String files, Set<SessionKey> keys)
      throws SQLException {
    String sql =
        "SELECT DISTINCT run, session FROM "
            + files
            + " WHERE session IS NOT NULL AND trace_id IN ("
            + String.join(", ", Collections.nCopies(traces.size(), "?"))
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < traces.size(); i++) {
        statement.setString(i + 1, traces.get(i).id());
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          keys.add(new SessionKey(rows.getString(1), rows.getString(2), false));
        }
      }
    }
  }

  private String files(
      List<Segment> in, ToLongFunction<Segment> rows, Function<Segment, String> file, String how) {
    String names =
        in.stream()
            .filter(s -> rows.applyAsLong(s) > 0)
            .map(s -> Duck.quoted(segments.folder().resolve(file.apply(s)).toString()))
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? null : "read_parquet([" + names + "]" + how + ")";
  }

  private static String among(List<SessionKey> keys) {
    return " WHERE (run, session) IN ("
        + String.join(", ", Collections.nCopies(keys.size(), "(?, ?)"))
        + ")";
  }

  private static void bind(PreparedStatement statement, List<SessionKey> keys) throws SQLException {
    int at = 1;
    for (SessionKey key : keys) {
      statement.setString(at++, key.run());
      statement.setString(at++, key.id());
    }
  }

  private void parts(
      Connection connection,
      List<SessionKey> keys,
      List<Segment> in,
      Map<SessionKey, ReturnedSession> found)
      throws SQLException {
    String files = files(in, Segment::sessions, Segment::sessionsFile, ", union_by_name = true");
    if (files == null) {
      return;
    }
    String last = " OVER (PARTITION BY run, session ORDER BY part DESC)";
    String sql =
        "SELECT run, session, verdict_ns, status, reason, source_status, first_value(part)"
            + last
            + ", first_value(batch)"
            + last
            + ", first_value(status)"
            + last
            + ", first_value(span_count)"
            + last
            + latest("reward")
            + latest("input_tokens")
            + latest("output_tokens")
            + " FROM (SELECT * FROM "
            + files
            + LATE_COLUMNS
            + ")"
            + among(keys)
            + " QUALIFY row_number() OVER (PARTITION BY run, session"
            + " ORDER BY verdict_ns DESC NULLS LAST, part DESC) = 1";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, keys);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          SessionKey key = new SessionKey(rows.getString(1), rows.getString(2), false);
          long at = rows.getLong(3);
          boolean isDecided = !rows.wasNull();
          LateFacts late = late(rows, 11);
          Decided decided =
              isDecided
                  ? new Decided(at, rows.getString(4), rows.getString(6), rows.getString(5), late)
                  : late.isNone() ? null : new Decided(late.newestNs(), null, null, null, late);
          Status status = Status.valueOf(rows.getString(9).toUpperCase(Locale.ROOT));
          Row row = new Row(rows.getString(8), status, rows.getLong(10));
          found.put(
              key, new ReturnedSession(key, rows.getInt(7) + 1, row, decided, new ArrayList<>()));
        }
      }
    }
  }

  /** The value of a column that was reported last apart from spans, and when. */
  private static String latest(String column) {
    String last = " OVER (PARTITION BY run, session ORDER BY %1$s_ns DESC NULLS LAST)";
    return (", first_value(CASE WHEN %1$s_ns IS NOT NULL THEN %1$s END)" + last).formatted(column)
        + (", first_value(%1$s_ns)" + last).formatted(column);
  }

  private static LateFacts late(ResultSet row, int at) throws SQLException {
    RewardAndTokens values =
        new RewardAndTokens(
            (Double) row.getObject(at), (Long) row.getObject(at + 2), (Long) row.getObject(at + 4));
    return LateFacts.of(values, row.getLong(at + 1), row.getLong(at + 3), row.getLong(at + 5));
  }

  private void spans(
      Connection connection,
      List<SessionKey> keys,
      List<Segment> in,
      Map<SessionKey, ReturnedSession> found)
      throws SQLException {
    String files = files(in, Segment::spans, Segment::spansFile, "");
    if (files == null) {
      return;
    }
    String sql = "SELECT " + SPAN_COLUMNS + " FROM " + files + among(keys);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, keys);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          SessionKey key = new SessionKey(rows.getString(1), rows.getString(2), false);
          ReturnedSession session = found.get(key);
          if (session != null) {
            session.spans().add(sealedSpan(rows));
          }
        }
      }
    }
  }

  /** A span from a row with {@link #SPAN_COLUMNS}. */
  static SealedSpan sealedSpan(ResultSet row) throws SQLException {
    Map<String, String> attributes = attributes(row);
    SpanRecord span = span(row, RewardAttributes.of(attributes));
    return new SealedSpan(span, row.getLong(29), row.getLong(30), attributes);
  }

  private static Map<String, String> attributes(ResultSet row) throws SQLException {
    Map<String, String> attributes = new HashMap<>();
    if (row.getObject(31) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> attributes.put(String.valueOf(key), String.valueOf(value)));
    }
    return attributes;
  }

  private static SpanRecord span(ResultSet row, RewardAndTokens got) throws SQLException {
    String trace = row.getString(3);
    String parent = row.getString(5);
    long end = row.getLong(9);
    boolean open = row.wasNull();
    String instance = row.getString(26);
    return new SpanRecord(
        Long.parseUnsignedLong(trace.substring(0, 16), 16),
        Long.parseUnsignedLong(trace.substring(16), 16),
        Long.parseUnsignedLong(row.getString(4), 16),
        parent == null ? 0 : Long.parseUnsignedLong(parent, 16),
        row.getString(6),
        Kind.valueOf(row.getString(7).toUpperCase(Locale.ROOT)),
        row.getLong(8),
        open ? Nanos.OPEN : end,
        Outcome.valueOf(row.getString(10).toUpperCase(Locale.ROOT)),
        row.getString(11),
        row.getString(12),
        new Said(
            row.getString(1),
            row.getString(2),
            null,
            false,
            row.getString(13),
            (Long) row.getObject(14),
            (Long) row.getObject(15),
            (Long) row.getObject(16),
            row.getString(17),
            row.getString(18),
            row.getString(19),
            (Long) row.getObject(20),
            row.getString(21),
            (Long) row.getObject(22),
            row.getString(23),
            row.getString(24),
            row.getString(25)),
        new Origin(
            instance,
            null,
            null,
            null,
            null,
            null,
            row.getString(21),
            (Long) row.getObject(22),
            row.getString(1),
            row.getString(27),
            row.getString(28),
            false,
            Attributes.NONE),
        Attributes.NONE,
        got,
        Nanos.UNKNOWN);
  }
}
