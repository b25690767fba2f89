package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.SpanRecord;
import java.util.List;

/**
 * A span as it is at one moment, to be written or shown while the original goes on changing.
 *
 * @param endNs {@link Nanos#OPEN} while it is open; a lost one has ended
 */
public record SpanRow(
    HotSpan span,
    SpanRecord told,
    List<Attributes> attributes,
    SessionKey key,
    SessionSummary<HotSpan> facts,
    long selfNs,
    Outcome outcome,
    long endNs,
    long receivedNs) {

  /** As of the last look at its session's status. */
  static SpanRow of(HotSpan span) {
    return new SpanRow(
        span,
        span.told,
        span.attributes(),
        span.session.key,
        span.session.facts(),
        span.selfNs,
        span.outcome(),
        span.endNs(),
        span.receivedNs);
  }

  /** Its own batch, else its session's; null when neither is known. */
  public String batch() {
    String own = told.said().batch();
    return own != null ? own : facts.batch();
  }

  /** What it is called in views. */
  public String stage() {
    String stage = told.said().stage();
    return stage == null ? told.name() : stage;
  }
}
