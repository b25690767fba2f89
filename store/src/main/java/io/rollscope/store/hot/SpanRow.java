package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.List;
import java.util.function.Function;

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

  /** Its own batch, else that of what it lies in; null when neither is known. */
  public String batch() {
    return of(Said::batch, facts.batch());
  }

  /** Its own train step, else that of what it lies in, or null. */
  public Long trainStep() {
    return of(Said::trainStep, facts.trainStep());
  }

  /** Its own model step, else that of what it lies in, or null. */
  public Long modelStep() {
    return of(Said::modelStep, facts.modelStep());
  }

  /** Its own future step, else that of what it lies in, or null. */
  public Long futureStep() {
    return of(Said::futureStep, facts.futureStep());
  }

  /** Work of a process lies in other work, not in all that its lane did. */
  private <T> T of(Function<Said, T> word, T ofSession) {
    T own = word.apply(told.said());
    if (own != null || !key.lane()) {
      return own != null ? own : ofSession;
    }
    return span.around == null ? null : word.apply(span.around);
  }

  /** What it is called in views. */
  public String stage() {
    String stage = told.said().stage();
    return stage == null ? told.name() : stage;
  }
}
