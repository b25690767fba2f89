package io.rollscope.store.hot;

import io.rollscope.core.model.Status;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.UsualDurations;
import io.rollscope.otlp.record.Sign;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A run: its sessions in memory, and what the board keeps of those that left. */
public final class HotRun {
  /** Finished sessions kept for the board; beyond it the oldest are only counted. */
  private static final int MOST_CARDS = 20_000;

  private static final int MOST_BATCHES = 10_000;
  private static final int MOST_PROCESSES = 10_000;

  final String name;
  final Set<HotSession> sessions = new LinkedHashSet<>();
  final UsualDurations usual = new UsualDurations();

  /** Sessions that left, newest last. */
  final Map<String, Card> cards = new LinkedHashMap<>();

  /** By batch ({@code ""} for none): how many of the sessions that left have which status. */
  final Map<String, Gone> gone = new LinkedHashMap<>();

  private final Map<String, Sign> dropped = new HashMap<>();

  String project;
  String system;
  long firstNs = Long.MAX_VALUE;
  long lastNs = Long.MIN_VALUE;

  /** When something last came in, by our clock. */
  long newsNs;

  long sealedSpans;

  /** What the board shows of a session that left. */
  record Card(LiveReport.Row row, String batch, String task, Status status, int spans) {}

  /** Sessions of a batch that left. */
  static final class Gone {
    final int[] byStatus = new int[Status.values().length];
    long spans;
    long lastNs = Long.MIN_VALUE;
    Long trainStep;
    Long modelStep;
    Long futureStep;

    int total() {
      int sum = 0;
      for (int n : byStatus) {
        sum += n;
      }
      return sum;
    }
  }

  HotRun(String name) {
    this.name = name;
  }

  /** A span of the run has news. */
  void saw(HotSpan span, long receivedNs) {
    newsNs = Math.max(newsNs, receivedNs);
    if (span.counted) {
      return;
    }
    firstNs = Math.min(firstNs, span.told.startNs());
    lastNs = Math.max(lastNs, span.isOpen() ? span.told.startNs() : span.told.endNs());
    project = project == null ? span.told.origin().project() : project;
    system = system == null ? span.told.origin().system() : system;
    if (!span.isOpen()) {
      span.counted = true;
      if (!span.told.kind().isContainer()) {
        usual.add(span.stage(), span.told.endNs(), span.told.endNs() - span.told.startNs());
      }
    }
  }

  /** A session leaves; the board shows its card. */
  void left(HotSession session, Card card, SessionFacts facts) {
    Card before = cards.put(session.key.id(), card);
    if (before != null) {
      uncount(before);
    }
    count(card, facts.lastNs(), facts.trainStep(), facts.modelStep(), facts.futureStep());
    Iterator<Card> oldest = cards.values().iterator();
    while (cards.size() > MOST_CARDS) {
      oldest.next();
      oldest.remove();
    }
  }

  /** A session that left is back. */
  void returned(String session) {
    Card before = cards.remove(session);
    if (before != null) {
      uncount(before);
    }
  }

  private void uncount(Card card) {
    Gone batch = gone.get(card.batch() == null ? "" : card.batch());
    if (batch != null) {
      batch.byStatus[card.status().ordinal()]--;
      batch.spans -= card.spans();
    }
  }

  private void count(Card card, long lastNs, Long train, Long model, Long future) {
    count(card.batch(), card.status(), 1, card.spans(), lastNs, train, model, future);
  }

  /** Counts sessions that are only in segments. */
  void count(
      String batch,
      Status status,
      int sessionCount,
      long spans,
      long lastNs,
      Long train,
      Long model,
      Long future) {
    String named = batch == null ? "" : batch;
    Gone counted = gone.get(named);
    if (counted == null) {
      if (gone.size() >= MOST_BATCHES) {
        Iterator<String> oldest = gone.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
      counted = new Gone();
      gone.put(named, counted);
    }
    counted.byStatus[status.ordinal()] += sessionCount;
    counted.spans += spans;
    counted.lastNs = Math.max(counted.lastNs, lastNs);
    counted.trainStep = train == null ? counted.trainStep : train;
    counted.modelStep = model == null ? counted.modelStep : model;
    counted.futureStep = future == null ? counted.futureStep : future;
  }

  // ---- what clients dropped --------------------------------------------------------------------

  void sign(Sign sign) {
    if (dropped.size() < MOST_PROCESSES || dropped.containsKey(sign.origin().instance())) {
      dropped.merge(
          sign.origin().instance(), sign, (a, b) -> b.timeNs() >= a.timeNs() ? b : a);
    }
  }

  /** What the run's processes had to drop, in all. */
  Map<String, Long> dropped() {
    long spans = 0;
    long starts = 0;
    long metrics = 0;
    for (Sign sign : dropped.values()) {
      spans += sign.droppedSpans();
      starts += sign.droppedStarts();
      metrics += sign.droppedMetrics();
    }
    return Map.of("spans", spans, "starts", starts, "metrics", metrics);
  }
}
