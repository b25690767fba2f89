package io.rollscope.store.hot;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.TraceResolver;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.List;

/**
 * A parent of which only children were heard of: it must have begun, and has not ended as far as
 * anybody knows.
 *
 * @param child the earliest of its children; it belongs where that one belongs
 */
public record Inferred(long spanId, HotSpan child) {
  static final String NAME = SpanName.NOT_YET_SEEN.raw();

  private static final Said NOTHING_SAID =
      new Said(
          null, null, null, false, null, null, null, null, null, null, null, null, null, null, null,
          null, null);

  public long startNs() {
    return child.told.startNs();
  }

  /** Whether it is missing, and no longer believed to go on. */
  boolean isOver() {
    boolean relative = HotRun.isRelative(child.told.origin().clock());
    HotRun run = child.session.run;
    return TraceResolver.isOver(child.trace.newestNs, relative ? run.lastRelativeNs : run.lastNs);
  }

  /** As a row: an open span of which nothing is known but that it began. */
  SpanRow row() {
    SpanRecord of = child.told;
    SpanRecord told =
        new SpanRecord(
            of.traceHigh(),
            of.traceLow(),
            spanId,
            0,
            NAME,
            Kind.PHASE,
            of.startNs(),
            Nanos.OPEN,
            Outcome.OPEN,
            null,
            null,
            NOTHING_SAID,
            of.origin().bare(),
            Attributes.NONE,
            RewardAndTokens.NONE,
            Nanos.UNKNOWN);
    return new SpanRow(
        child,
        told,
        List.of(),
        child.session.key,
        child.session.facts(),
        0,
        Outcome.OPEN,
        Nanos.OPEN,
        child.receivedNs);
  }
}
