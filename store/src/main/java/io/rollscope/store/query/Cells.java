package io.rollscope.store.query;

import io.rollscope.core.accounting.BatchTotals.Earned;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.view.HotspotsReport.Waits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads values out of rows. */
final class Cells {
  /** What {@link #waits} reads of {@code sessions}. */
  static final String WAITS =
      "queue_ns, gap_ns, siblings_ns, barrier_ns, " + Words.UNACCOUNTED + ", outside_ns";

  /** What {@link #earned} reads. */
  static final String EARNED =
      "coalesce(sum(reward), 0), count(reward),"
          + " if(sum(input_tokens) > 9223372036854775807, 9223372036854775807,"
          + " sum(input_tokens))::BIGINT,"
          + " if(sum(output_tokens) > 9223372036854775807, 9223372036854775807,"
          + " sum(output_tokens))::BIGINT";

  private Cells() {}

  /** What several sessions earned and used: columns {@link #EARNED}, from this one on. */
  static Earned earned(ResultSet row, int column) throws SQLException {
    return new Earned(
        row.getDouble(column),
        row.getLong(column + 1),
        longOrNull(row, column + 2),
        longOrNull(row, column + 3));
  }

  /** Three columns from this one on: reward, input and output tokens. */
  static RewardAndTokens rewardAndTokens(ResultSet row, int column) throws SQLException {
    double reward = row.getDouble(column);
    return new RewardAndTokens(
        row.wasNull() ? null : (Double) reward,
        longOrNull(row, column + 1),
        longOrNull(row, column + 2));
  }

  static Long longOrNull(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  static Double doubleOrNull(ResultSet row, int column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : (Double) value;
  }

  static Double secondsOrNull(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value / 1e9;
  }

  static double[] doubles(ResultSet row, int column) throws SQLException {
    Object[] values = (Object[]) row.getArray(column).getArray();
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = ((Number) values[i]).doubleValue();
    }
    return doubles;
  }

  /** The columns {@link #WAITS}, from {@code column} on. */
  static Waits waits(ResultSet row, int column) throws SQLException {
    return new Waits(
        row.getDouble(column) / 1e9,
        row.getDouble(column + 1) / 1e9,
        row.getDouble(column + 2) / 1e9,
        row.getDouble(column + 3) / 1e9,
        row.getDouble(column + 4) / 1e9,
        row.getDouble(column + 5) / 1e9);
  }

  /** Columns {@code worker_role} and {@code worker_rank}. */
  static Worker worker(ResultSet row, int column) throws SQLException {
    String role = row.getString(column);
    Long rank = longOrNull(row, column + 1);
    return role == null && rank == null ? Worker.UNKNOWN : new Worker(role, rank);
  }

  /** A MAP(VARCHAR, VARCHAR), in its own order; empty for NULL. */
  static Map<String, String> attributes(ResultSet row, int column) throws SQLException {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (row.getObject(column) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> attributes.put(String.valueOf(key), text(value)));
    }
    return attributes;
  }

  private static String text(Object value) {
    return value == null ? null : value.toString();
  }
}
