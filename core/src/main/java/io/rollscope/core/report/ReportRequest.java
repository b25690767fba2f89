package io.rollscope.core.report;

import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.Selection;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.TimelineReport.By;

/**
 * What is asked of a run. A report passes over what means nothing to it.
 *
 * @param nowNs until when open work counts; {@link Nanos#UNKNOWN} for what follows from the data
 * @param detail what of the hotspots takes longer
 * @param sort order of a list of sessions, or null for the usual one
 * @param limit most rows, sessions, causes, buckets or spans; 0 for the report's usual number
 * @param cursor where a page begins, as the page before said; null for the first
 * @param batchSize AReaL's consumer batch size, by which steps are told; or null
 * @param fromNs beginning of the window of a timeline or of occupancy, or null
 * @param toNs its end, or null
 * @param by what makes a lane of a timeline
 */
public record ReportRequest(
    Scope scope,
    SessionFilter filter,
    long nowNs,
    Detail detail,
    String sort,
    int limit,
    String cursor,
    Integer batchSize,
    Long fromNs,
    Long toNs,
    By by)
    implements Selection {

  /** All that is in scope, as it is now. */
  public static ReportRequest of(Scope scope) {
    return new ReportRequest(
        scope,
        SessionFilter.NONE,
        Nanos.UNKNOWN,
        Detail.NONE,
        null,
        0,
        null,
        null,
        null,
        null,
        By.SESSION);
  }

  /** Of another part of the run. */
  public ReportRequest scope(Scope part) {
    return new ReportRequest(
        part, filter, nowNs, detail, sort, limit, cursor, batchSize, fromNs, toNs, by);
  }

  /** Of only some sessions. */
  public ReportRequest filter(SessionFilter some) {
    return new ReportRequest(
        scope, some, nowNs, detail, sort, limit, cursor, batchSize, fromNs, toNs, by);
  }

  /** As it was then. */
  public ReportRequest now(long thenNs) {
    return new ReportRequest(
        scope, filter, thenNs, detail, sort, limit, cursor, batchSize, fromNs, toNs, by);
  }

  public ReportRequest detail(Detail wanted) {
    return new ReportRequest(
        scope, filter, nowNs, wanted, sort, limit, cursor, batchSize, fromNs, toNs, by);
  }

  /** In another order, from its beginning. */
  public ReportRequest sort(String order) {
    return new ReportRequest(
        scope, filter, nowNs, detail, order, limit, null, batchSize, fromNs, toNs, by);
  }

  public ReportRequest limit(int most) {
    return new ReportRequest(
        scope, filter, nowNs, detail, sort, most, cursor, batchSize, fromNs, toNs, by);
  }

  /** The page that begins here. */
  public ReportRequest cursor(String next) {
    return new ReportRequest(
        scope, filter, nowNs, detail, sort, limit, next, batchSize, fromNs, toNs, by);
  }

  public ReportRequest batchSize(Integer tasks) {
    return new ReportRequest(
        scope, filter, nowNs, detail, sort, limit, cursor, tasks, fromNs, toNs, by);
  }

  /** Of a part of the time. */
  public ReportRequest window(Long from, Long to) {
    return new ReportRequest(
        scope, filter, nowNs, detail, sort, limit, cursor, batchSize, from, to, by);
  }

  public ReportRequest by(By lanes) {
    return new ReportRequest(
        scope, filter, nowNs, detail, sort, limit, cursor, batchSize, fromNs, toNs, lanes);
  }

  /** The limit, or this number where none was set. */
  public int limitOr(int usual) {
    return limit == 0 ? usual : limit;
  }
}
