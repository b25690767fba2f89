package io.rollscope.store.hot;

import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The spans of one trace that are in memory. */
public final class HotTrace {
  /** Up to this many spans a list is searched; beyond it an index is worth its memory. */
  private static final int FEW = 16;

  final long high;
  final long low;

  /** Whether segments of the last hour may hold spans of it. */
  boolean maybeSealed;

  /** Whether it was not yet looked for in segments. */
  boolean unsure;

  final List<HotSpan> spans = new ArrayList<>(8);
  private Map<Long, HotSpan> byId;

  /**
   * By span; all that came of each together. Those that named another trace's session are with
   * that.
   */
  Map<Long, Verdict> verdicts = Map.of();

  /** Whether a verdict has not found its session. */
  boolean verdictWaits;

  /** Whether all segments were searched for the parents of its spans. */
  boolean searched;

  /** Parents of which only children were heard of. */
  List<Inferred> inferred = List.of();

  /** Whether it lacks parents, inferred or too old for that. */
  boolean orphaned;

  /** Whether segments were asked for the parents that they hold since spans of it left. */
  boolean lookedUp;

  /** When something last happened in it, by its own clock. */
  long newestNs = Nanos.UNKNOWN;

  /** When something of it last came in, by our clock. */
  long newsNs;

  boolean dirty;

  /** Whether any of its spans names a run. */
  boolean namesRun;

  HotTrace(long high, long low, boolean maybeSealed) {
    this.high = high;
    this.low = low;
    this.maybeSealed = maybeSealed;
  }

  HotSpan find(long spanId) {
    if (byId != null) {
      return byId.get(spanId);
    }
    for (HotSpan span : spans) {
      if (span.told.spanId() == spanId) {
        return span;
      }
    }
    return null;
  }

  void add(HotSpan span) {
    spans.add(span);
    if (byId != null) {
      byId.put(span.told.spanId(), span);
    } else if (spans.size() > FEW) {
      byId = new HashMap<>();
      spans.forEach(s -> byId.put(s.told.spanId(), s));
    }
  }

  /** Removes all spans that no longer belong to a session. */
  void removeGone() {
    spans.removeIf(s -> s.session == null);
    if (byId != null) {
      byId.values().removeIf(s -> s.session == null);
    }
  }

  void addVerdict(Verdict verdict) {
    if (verdicts.isEmpty()) {
      verdicts = new HashMap<>(4);
    }
    verdicts.merge(verdict.spanId(), verdict, Verdict::and);
  }

  /** 32 hex digits. */
  public String id() {
    return hex(high) + hex(low);
  }

  static String hex(long value) {
    char[] digits = new char[16];
    for (int i = 0; i < 16; i++) {
      digits[i] = Character.forDigit((int) (value >>> (60 - 4 * i)) & 15, 16);
    }
    return new String(digits);
  }
}
