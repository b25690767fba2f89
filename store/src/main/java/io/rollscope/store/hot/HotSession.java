package io.rollscope.store.hot;

import io.rollscope.core.accounting.SpanSet;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A session (or lane) with spans in memory. While it goes on, spans that are already in a segment
 * stay here without their attributes, so that its time is accounted for as a whole.
 */
public final class HotSession implements SpanSet {
  final SessionKey key;
  final HotRun run;
  final List<HotSpan> spans = new ArrayList<>(8);
  final List<Inferred> inferred = new ArrayList<>(0);
  Verdict verdict;

  /** When something of it last came in, by our clock. */
  long newsNs;

  /** Whether it was not yet looked for in segments. */
  boolean unsure = true;

  /** How many rows of it segments hold already. */
  int parts;

  /** Whether its row in segments is no longer true: another verdict, or a span that moved away. */
  boolean revised;

  /** Whether rows of it that did not know of each other came together. */
  boolean reunited;

  /** Self time of the spans in segments, as it was written there. */
  long sealedSelfNs;

  /** What was counted for spans that segments hold and that are no longer here. */
  int goneSpans;

  int goneErrors;

  Map<String, Long> goneCounters = Map.of();

  private SessionSummary<HotSpan> facts;

  /** How many of its spans are lost, as of the last look. */
  private int lostCount;

  /** Until when its lost spans went on, as of the last look, or {@link Nanos#UNKNOWN}. */
  private long lostUntilNs = Nanos.UNKNOWN;

  HotSession(SessionKey key, HotRun run) {
    this.key = key;
    this.run = run;
  }

  public SessionKey key() {
    return key;
  }

  public List<HotSpan> spans() {
    return spans;
  }

  void add(HotSpan span) {
    span.session = this;
    span.slot = spans.size();
    spans.add(span);
    changed();
  }

  /**
   * The span that this was decided on turned out to belong elsewhere; what was decided on others of
   * the trace is delivered anew.
   *
   * @param gone or null
   */
  void withdraw(Verdict gone) {
    if (gone != null && verdict != null && gone.and(verdict).equals(gone)) {
      verdict = null;
    }
  }

  void remove(HotSpan span) {
    HotSpan last = spans.remove(spans.size() - 1);
    if (last != span) {
      spans.set(span.slot, last);
      last.slot = span.slot;
    }
    span.session = null;
    changed();
  }

  void changed() {
    facts = null;
  }

  /** What its spans say of it as a whole. */
  public SessionSummary<HotSpan> facts() {
    if (facts == null) {
      facts = SessionSummary.of(spans, verdict, !inferred.isEmpty());
    }
    return facts;
  }

  /** 32 hex digits: the trace of its oldest span; null if it has none. */
  public String traceId() {
    return facts().oldest() == null ? null : facts().oldest().trace.id();
  }

  /** The clock of its times. */
  public String clock() {
    return facts().oldest() == null ? "utc" : facts().oldest().told.origin().clock();
  }

  /** How many of its spans ended in error, those that are only in segments included. */
  public int errorCount() {
    return facts().errorCount() + goneErrors;
  }

  /** What its spans counted, those that are only in segments included. */
  Map<String, Long> counters() {
    Map<String, Long> all = goneCounters;
    for (HotSpan span : spans) {
      all = SpanCounters.sum(all, span.counters());
    }
    return all;
  }

  /** The group of its span that began last and has one, or null (contracts.md 2.12). */
  String inferredGroup() {
    HotSpan last = null;
    for (HotSpan span : spans) {
      boolean later = last == null || span.told.startNs() > last.told.startNs();
      last = later && span.inferredGroup() != null ? span : last;
    }
    return last == null ? null : last.inferredGroup();
  }

  /** What time it is on its own clock: the newest that is known, where it is not ours. */
  long now(long nowNs) {
    return HotRun.isRelative(clock()) ? run.lastRelativeNs : run.now(nowNs);
  }

  /** Where it stands; looks which of its open spans are lost. */
  public Status status(Processes processes, long nowNs) {
    SessionSummary<HotSpan> known = facts();
    lostUntilNs = Nanos.UNKNOWN;
    lostCount = 0;
    for (int i = 0; known.openCount() > 0 && i < spans.size(); i++) {
      if (spans.get(i).isLost(processes, nowNs)) {
        lostCount++;
        lostUntilNs = Math.max(lostUntilNs, spans.get(i).endNs());
      }
    }
    return statusAsSeen();
  }

  /** Where it stood at the last look. */
  Status statusAsSeen() {
    return facts().status(lostCount, inferred.size());
  }

  /** How many spans are open, inferred ones too; as of the last look at its status. */
  int openCount() {
    return facts().openCount() - lostCount + inferred.size();
  }

  /** The last sign of its spans, lost ones included; as of the last look at its status. */
  long lastNs() {
    return Math.max(facts().lastNs(), lostUntilNs);
  }

  // ---- for accounting --------------------------------------------------------------------------

  @Override
  public int count() {
    return spans.size();
  }

  @Override
  public long start(int i) {
    return spans.get(i).told.startNs();
  }

  @Override
  public long end(int i) {
    return spans.get(i).endNs();
  }

  @Override
  public Kind kind(int i) {
    return spans.get(i).told.kind();
  }

  @Override
  public boolean isWork(int i) {
    return !kind(i).isContainer();
  }

  @Override
  public long spanId(int i) {
    return spans.get(i).told.spanId();
  }

  @Override
  public long parentId(int i) {
    return spans.get(i).told.parentId();
  }

  @Override
  public boolean hasParents() {
    return spans.isEmpty() || spans.get(0).recordsParents();
  }

  @Override
  public boolean isNestedByTime() {
    return !hasParents() || inferredGroup() != null;
  }

  @Override
  public String rawName(int i) {
    return spans.get(i).told.name();
  }
}
