package io.rollscope.store.query;

import java.util.List;
import java.util.Map;

/**
 * All spans of a trace, by start.
 *
 * @param leftOut how many later ones are not here
 */
public record TraceReport(String traceId, List<Span> spans, long leftOut) {

  /**
   * One span. Times in nanoseconds, as text because JavaScript cannot hold them; {@code endNs} is
   * null while it is open.
   */
  public record Span(
      String run,
      String session,
      String task,
      String batch,
      String spanId,
      String parentId,
      String kind,
      String name,
      String stage,
      String startNs,
      String endNs,
      String selfNs,
      String outcome,
      String error,
      String worker,
      String lane,
      String clock,
      Map<String, String> attributes) {}
}
