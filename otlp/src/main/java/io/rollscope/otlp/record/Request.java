package io.rollscope.otlp.record;

import java.util.List;
import java.util.Map;

/**
 * One export request, decoded: what it says, and what had to be refused.
 *
 * @param spans began or ended
 * @param rejected how many items, by reason; reasons are sentences for the sender, few in number
 * @param repaired spans that ended before they began and were kept without length
 * @param reduction what was not kept of attributes of what was kept
 */
public record Request(
    List<SpanRecord> spans,
    List<Verdict> verdicts,
    List<Sign> signs,
    List<MetricPoint> points,
    Map<String, Long> rejected,
    long repaired,
    Reduction reduction) {

  /** A request of which everything was kept, of what was kept at all. */
  public Request(
      List<SpanRecord> spans,
      List<Verdict> verdicts,
      List<Sign> signs,
      List<MetricPoint> points,
      Map<String, Long> rejected,
      long repaired) {
    this(spans, verdicts, signs, points, rejected, repaired, Reduction.NONE);
  }

  /** Items refused. */
  public long rejectedCount() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Items kept. */
  public long acceptedCount() {
    return (long) spans.size() + verdicts.size() + signs.size() + points.size();
  }
}
