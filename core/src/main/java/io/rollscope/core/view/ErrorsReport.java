package io.rollscope.core.view;

import java.util.List;

/**
 * What went wrong, most frequent first.
 *
 * @param leftOut groups beyond those asked for
 */
public record ErrorsReport(
    String source, String run, String scope, List<Group> errors, long leftOut) {

  /**
   * Spans that failed in one stage for one reason.
   *
   * @param sessions how many sessions (or lanes) it happened to
   * @param firstS when a span of the group first ended
   * @param lastS and last
   * @param examples sessions (or lanes) it happened to, the first ones by id
   */
  public record Group(
      String stage,
      String error,
      long count,
      long sessions,
      double firstS,
      double lastS,
      List<String> examples) {}
}
