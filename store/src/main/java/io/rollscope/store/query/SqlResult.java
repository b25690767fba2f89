package io.rollscope.store.query;

import java.util.List;

/**
 * What a user's SQL returned, in values JSON can hold without loss:
 *
 * <ul>
 *   <li>integers up to 2^53 and decimals of up to 15 digits as numbers, greater ones as strings;
 *   <li>floating point as numbers, but {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"};
 *   <li>lists as lists, maps and structs as maps, JSON as what it says;
 *   <li>times, intervals, ids, blobs and all else as DuckDB writes them.
 * </ul>
 *
 * @param truncated whether there are more rows, beyond the limit on rows or on size
 */
public record SqlResult(List<Column> columns, List<List<Object>> rows, boolean truncated) {

  /** A column; the type in DuckDB's words. */
  public record Column(String name, String type) {}
}
