package io.rollscope.store.segment;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotTrace;
import io.rollscope.store.hot.ReturnedSession;
import io.rollscope.store.hot.ReturnedSession.Decided;
import io.rollscope.store.hot.ReturnedSession.SealedSpan;
import io.rollscope.store.hot.SessionKey;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds in segments what is known of sessions that something new came in for, so that their time is
 * accounted for as a whole again.
 */
public final class Returning {
  private static final int AT_ONCE = 200;

  private final Segments segments;

  public Returning(Segments segments) {
    this.segments = segments;
  }

  /** Looks for sessions, and for sessions of traces, in the segments of the last hour. */
  public List<ReturnedSession> find(HotStore.Newcomers known, long nowNs) throws IOException {
    Map<SessionKey, ReturnedSession> found = new HashMap<>();
    try (Connection connection = segments.duck().connect()) {
      List<SessionKey> keys = new ArrayList<>(known.sessions());
      List<String> traces = known.traces().stream().map(HotTrace::id).toList();
      for (int from = 0; from < traces.size(); from += AT_ONCE) {
        int to = Math.min(traces.size(), from + AT_ONCE);
        keys.addAll(sessions(connection, traces.subList(from, to), nowNs));
      }
      for (int from = 0; from < keys.size(); from += AT_ONCE) {
        List<SessionKey> some = keys.subList(from, Math.min(keys.size(), from + AT_ONCE));
        parts(connection, some, nowNs, found);
        spans(connection, some, nowNs, found);
      }
    } catch (SQLException e) {
      throw new IOException("segments cannot be read: " + Segments.firstLine(e), e);
    }
    return List.copyOf(found.values());
  }

  private List<SessionKey> sessions(Connection connection, List<String> traces, long nowNs)
      throws SQLException {
    List<SessionKey> keys = new ArrayList<>();
    String files = recent(nowNs, Segment::spans, Segment::spansFile);
    if (files == null) {
      return keys;
    }
    String sql =
        "SELECT DISTINCT run, session FROM "
            + files
            + " WHERE session IS NOT NULL AND trace_id IN ("
            + String.join(", ", Collections.nCopies(traces.size(), "?"))
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < traces.size(); i++) {
        statement.setString(i + 1, traces.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          keys.add(new SessionKey(rows.getString(1), rows.getString(2), false));
        }
      }
    }
    return keys;
  }

  private String recent(long nowNs, ToLongFunction<Segment> rows, Function<Segment, String> file) {
    // Ids are remembered for longer while the journal holds what they protect.
    long since = Math.min(nowNs - SealedIds.REMEMBERED_NS, segments.rememberedSinceNs());
    String names =
        segments.manifest().segments().stream()
            .filter(s -> rows.applyAsLong(s) > 0 && s.sealedNs() >= since)
            .map(s -> Duck.quoted(segments.folder().resolve(file.apply(s)).toString()))
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? null : "read_parquet([" + names + "])";
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
      long nowNs,
      Map<SessionKey, ReturnedSession> found)
      throws SQLException {
    String files = recent(nowNs, Segment::sessions, Segment::sessionsFile);
    if (files == null) {
      return;
    }
    String sql =
        "SELECT run, session, part, verdict_ns, status, reason FROM "
            + files
            + among(keys)
            + " QUALIFY row_number() OVER (PARTITION BY run, session ORDER BY part DESC) = 1";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, keys);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          SessionKey key = new SessionKey(rows.getString(1), rows.getString(2), false);
          long at = rows.getLong(4);
          Decided decided =
              rows.wasNull() ? null : new Decided(at, rows.getString(5), rows.getString(6));
          found.put(key, new ReturnedSession(key, rows.getInt(3) + 1, decided, new ArrayList<>()));
        }
      }
    }
  }

  private void spans(
      Connection connection,
      List<SessionKey> keys,
      long nowNs,
      Map<SessionKey, ReturnedSession> found)
      throws SQLException {
    String files = recent(nowNs, Segment::spans, Segment::spansFile);
    if (files == null) {
      return;
    }
    String sql =
        "SELECT run, session, trace_id, span_id, parent_id, name, kind, start_ns, end_ns, outcome,"
            + " error_type, error_message, batch, train_step, model_step, future_step, task,"
            + " task_name, stage, attempt, worker_role, worker_rank, status, source_status, reason,"
            + " instance, clock, source, self_ns, ingest_ns FROM "
            + files
            + among(keys);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, keys);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          SessionKey key = new SessionKey(rows.getString(1), rows.getString(2), false);
          ReturnedSession session = found.get(key);
          if (session != null) {
            session
                .spans()
                .add(
                    new SealedSpan(span(rows), rows.getLong("self_ns"), rows.getLong("ingest_ns")));
          }
        }
      }
    }
  }

  private static SpanRecord span(ResultSet row) throws SQLException {
    String trace = row.getString("trace_id");
    String parent = row.getString("parent_id");
    long end = row.getLong("end_ns");
    boolean open = row.wasNull();
    String instance = row.getString("instance");
    return new SpanRecord(
        Long.parseUnsignedLong(trace.substring(0, 16), 16),
        Long.parseUnsignedLong(trace.substring(16), 16),
        Long.parseUnsignedLong(row.getString("span_id"), 16),
        parent == null ? 0 : Long.parseUnsignedLong(parent, 16),
        row.getString("name"),
        Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
        row.getLong("start_ns"),
        open ? Nanos.OPEN : end,
        Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)),
        row.getString("error_type"),
        row.getString("error_message"),
        new Said(
            row.getString("run"),
            row.getString("session"),
            null,
            false,
            row.getString("batch"),
            (Long) row.getObject("train_step"),
            (Long) row.getObject("model_step"),
            (Long) row.getObject("future_step"),
            row.getString("task"),
            row.getString("task_name"),
            row.getString("stage"),
            (Long) row.getObject("attempt"),
            row.getString("worker_role"),
            (Long) row.getObject("worker_rank"),
            row.getString("status"),
            row.getString("source_status"),
            row.getString("reason")),
        new Origin(
            instance,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            row.getString("run"),
            row.getString("clock"),
            row.getString("source"),
            Attributes.NONE),
        Attributes.NONE);
  }
}
