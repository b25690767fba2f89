package io.rollscope.otlp.record;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SpanVersion;
import io.rollscope.core.time.Nanos;
import java.util.Comparator;

/**
 * A span as one request tells it: whole, or only that it began ({@code endNs} is {@link
 * Nanos#OPEN}).
 *
 * @param parentId 0 for a root
 * @param outcome {@link Outcome#OPEN} exactly when it has not ended
 * @param errorType null unless it ended in error or was cancelled
 * @param attributes its own; the resource's are in {@code origin}
 * @param rewardAndTokens what they say of these
 * @param queuedNs how long they say it waited in the queue of its engine, or {@link Nanos#UNKNOWN}
 */
public record SpanRecord(
    long traceHigh,
    long traceLow,
    long spanId,
    long parentId,
    String name,
    Kind kind,
    long startNs,
    long endNs,
    Outcome outcome,
    String errorType,
    String errorMessage,
    Said said,
    Origin origin,
    Attributes attributes,
    RewardAndTokens rewardAndTokens,
    long queuedNs)
    implements SpanVersion<SpanRecord> {

  /** What is shown of a span comes first: folders keep nothing else of it. */
  private static final Comparator<SpanRecord> BY_CONTENT =
      Comparator.comparingLong(SpanRecord::startNs)
          .thenComparing(SpanRecord::name)
          .thenComparing(SpanRecord::parentId, Long::compareUnsigned)
          .thenComparing(SpanRecord::kind)
          .thenComparing(SpanRecord::outcome)
          .thenComparing(SpanRecord::error, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(SpanRecord::said, Said.ORDER)
          .thenComparing(SpanRecord::attributes, Attributes::compareBytes);

  public boolean isOpen() {
    return endNs == Nanos.OPEN;
  }

  @Override
  public int compareContent(SpanRecord other) {
    return BY_CONTENT.compare(this, other);
  }

  @Override
  public SpanRecord and(SpanRecord weaker) {
    return with(
        said.and(weaker.said),
        attributes,
        rewardAndTokens.or(weaker.rewardAndTokens),
        queuedNs == Nanos.UNKNOWN ? weaker.queuedNs : queuedNs);
  }

  /** The same, saying this and with these attributes. */
  public SpanRecord with(Said says, Attributes having) {
    return with(says, having, rewardAndTokens, queuedNs);
  }

  private SpanRecord with(Said says, Attributes having, RewardAndTokens got, long queued) {
    return new SpanRecord(
        traceHigh,
        traceLow,
        spanId,
        parentId,
        name,
        kind,
        startNs,
        endNs,
        outcome,
        errorType,
        errorMessage,
        says,
        origin,
        having,
        got,
        queued);
  }

  /**
   * What went wrong in one line: {@code Type: message}, or what there is of it; null if nothing.
   */
  public String error() {
    if (outcome != Outcome.ERROR && outcome != Outcome.CANCELLED) {
      return null;
    }
    if (errorType == null) {
      return errorMessage == null ? "error" : errorMessage;
    }
    return errorMessage == null ? errorType : errorType + ": " + errorMessage;
  }
}
