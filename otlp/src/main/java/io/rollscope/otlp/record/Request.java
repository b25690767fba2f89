package io.rollscope.otlp.record;

import java.util.List;
import java.util.Map;

/**
 * One export request, decoded: what it says, and what had to be refused.
 *
 * @param spans began or ended
 * @param rejected how many items, by reason; reasons are sentences for the sender, few in number
 * @param repaired spans that ended before they began and were kept without length
 */
public record Request(
    List<SpanRecord> spans,
    List<Verdict> verdicts,
    List<Sign> signs,
    List<MetricPoint> points,
    Map<String, Long> rejected,
    long repaired) {

  /** Items refused. */
  public long rejectedCount() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Items kept. */
  public long acceptedCount() {
    return (long) spans.size() + verdicts.size() + signs.size() + points.size();
  }
}
