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
    List<StackRecord> stacks,
    List<MetricPoint> points,
    Map<String, Long> rejected,
    long repaired,
    Reduction reduction) {

  /** The same without metric points. */
  public Request withoutPoints() {
    return new Request(spans, verdicts, signs, stacks, List.of(), rejected, repaired, reduction);
  }

  /** Items refused. */
  public long rejectedCount() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Items kept. */
  public long acceptedCount() {
    return (long) spans.size() + verdicts.size() + signs.size() + stacks.size() + points.size();
  }
}
