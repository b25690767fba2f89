package io.rollscope.otlp;

import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Reduction;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.StackRecord;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One request while it is read: what was found so far, and what its items share. */
final class Reading {
  private static final long DAY_NS = 86_400_000_000_000L;
  private static final int SAID_SLOTS = 128;

  /** Records are larger than the bytes they come from: a limit on those is not enough. */
  private static final int MAX_ITEMS = 500_000;

  final byte[] bytes;
  final SharedStrings strings;
  final KnownAttributes known;
  final StepNames steps = new StepNames();
  final List<SpanRecord> spans = new ArrayList<>();
  final List<Verdict> verdicts = new ArrayList<>(0);
  final List<Sign> signs = new ArrayList<>(0);
  final List<StackRecord> stacks = new ArrayList<>(0);
  final List<MetricPoint> points = new ArrayList<>(0);
  private final Said[] saids = new Said[SAID_SLOTS];
  private final long[] refused = new long[Refusal.values().length];
  private final UrlIds runs = new UrlIds();
  private final UrlIds sessions = new UrlIds();
  private final long latest;
  private long repaired;
  private Reduction reduction = Reduction.NONE;

  Reading(byte[] bytes, long receivedNs) {
    this.bytes = bytes;
    strings = new SharedStrings(bytes);
    known = new KnownAttributes(strings);
    latest = Math.min(Math.min(receivedNs, Nanos.LIMIT) + DAY_NS, Nanos.LIMIT);
  }

  void refuse(Refusal why) {
    refused[why.ordinal()]++;
  }

  void countRepaired() {
    repaired++;
  }

  /** Counts names and ids that were cut. */
  void countCut(int count) {
    if (count > 0) {
      reduction = reduction.plus(new Reduction(0, count));
    }
  }

  /** Counts what is not kept of attributes that were read just now. */
  Attributes reduced(Attributes attributes) {
    if (known.mayBeReduced()) {
      reduction = reduction.plus(attributes.reduction());
    }
    return attributes;
  }

  /** Whether no more items are taken. */
  boolean isFull() {
    int items = spans.size() + verdicts.size() + signs.size() + stacks.size() + points.size();
    return items >= MAX_ITEMS;
  }

  /** Whether a time, unsigned, is further ahead than clocks can be wrong. */
  boolean isTooLate(long time) {
    return time < 0 || time > latest;
  }

  /**
   * Whether a run, and a session of it, can be asked for.
   *
   * @param run null for what its sender is called
   * @param session null for none
   */
  boolean isAskable(String run, Resource sender, String session) {
    return runs.isAskable(run == null ? sender.origin().runFallback() : run)
        && sessions.isAskable(session);
  }

  /** The same, or an equal one met before. */
  Said shared(Said said) {
    int hash = hash(said.session()) + 31 * (hash(said.stage()) + 31 * hash(said.batch()));
    int slot = (hash ^ hash >>> 14) & SAID_SLOTS - 1;
    if (said.equals(saids[slot])) {
      return saids[slot];
    }
    saids[slot] = said;
    return said;
  }

  private static int hash(String text) {
    return text == null ? 0 : text.hashCode();
  }

  Request request() {
    Map<String, Long> rejected = new LinkedHashMap<>();
    for (Refusal why : Refusal.values()) {
      if (refused[why.ordinal()] > 0) {
        rejected.put(why.text(), refused[why.ordinal()]);
      }
    }
    return new Request(spans, verdicts, signs, stacks, points, rejected, repaired, reduction);
  }
}
