package io.rollscope.store.segment;

import io.rollscope.store.hot.SessionKey;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds sessions of which segments hold rows that do not know of each other: a span came long after
 * its session was sealed, and made it anew. The parts of a session that is whole grow from segment
 * to segment.
 */
public final class SplitSessions {
  private final Segments segments;

  public SplitSessions(Segments segments) {
    this.segments = segments;
  }

  /** Whether there are segments that were not looked at. */
  public boolean isDue() {
    return fresh().stream().anyMatch(s -> s.sessions() > 0);
  }

  private List<Segment> fresh() {
    return segments.manifest().segments().stream().filter(s -> !segments.isJoined(s)).toList();
  }

  /** Looks for those with a first row in a segment not looked at before, at most so many. */
  public List<SessionKey> find(int most) throws IOException {
    List<Segment> fresh = fresh().stream().filter(s -> s.sessions() > 0).toList();
    List<Segment> all =
        segments.manifest().segments().stream().filter(s -> s.sessions() > 0).toList();
    List<SessionKey> found = new ArrayList<>();
    if (fresh.isEmpty() || all.size() < 2) {
      return found;
    }
    String sql =
        "WITH fresh AS (SELECT DISTINCT run, session FROM read_parquet("
            + files(fresh)
            + ") WHERE part = 0), parts AS (SELECT run, session, part, list_position("
            + files(all)
            + ", filename) AS place, max(part) OVER (PARTITION BY run, session) AS last"
            + " FROM read_parquet("
            + files(all)
            + ", filename = true) SEMI JOIN fresh USING (run, session))"
            + " SELECT run, session FROM parts GROUP BY run, session"
            + " HAVING count(*) FILTER (part = last) > 1 OR arg_max(part, place) < max(part)"
            + " LIMIT "
            + most;
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(new SessionKey(rows.getString(1), rows.getString(2), false));
      }
    } catch (SQLException e) {
      throw new IOException("segments cannot be read: " + Segments.firstLine(e), e);
    }
    return found;
  }

  private String files(List<Segment> some) {
    return some.stream()
        .map(s -> Duck.quoted(segments.folder().resolve(s.sessionsFile()).toString()))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
