package io.rollscope.store.hot;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.AsOf;
import io.rollscope.core.view.Drops;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.core.view.UsualDurations;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A run: its sessions in memory, and what the board keeps of those that left. */
public final class HotRun {
  /** Finished sessions kept for the board; beyond it the oldest are only counted. */
  public static final int MOST_CARDS = 20_000;

  private static final int MOST_BATCHES = 10_000;
  private static final int MOST_PROCESSES = 10_000;
  private static final long RECENT_NS = 60_000_000_000L;

  /** Copies of what is in memory are up to a second old. */
  private static final long ABOUT_NOW_NS = 2_000_000_000L;

  /** What happened longer ago when it came in is history, however late exporters are. */
  private static final long FRESH_NS = 5 * RECENT_NS;

  /** September 2001: what is earlier counts from a zero that only its source knows. */
  private static final long EPOCH_TIMES_NS = 1_000_000_000_000_000_000L;

  final String name;
  final Set<HotSession> sessions = new LinkedHashSet<>();
  final UsualDurations usual = new UsualDurations();
  final StageTimes stageTimes = new StageTimes();

  /** Sessions that left, newest last. */
  final Map<String, Card> cards = new LinkedHashMap<>();

  /** By batch ({@code ""} for none): how many of the sessions that left have which status. */
  final Map<String, Gone> gone = new LinkedHashMap<>();

  private final Map<String, Sign> signs = new HashMap<>();

  /** Processes that took sessions with them that left. */
  final Deaths deaths = new Deaths();

  /** Sets of words that many cards share. */
  private final Map<Set<String>, Set<String>> words = new HashMap<>();

  /** When a process last said something of itself, by its own clock. */
  private long lastSignNs = Long.MIN_VALUE;

  String project;
  String system;
  private long firstNs = Long.MAX_VALUE;
  private long firstRelativeNs = Long.MAX_VALUE;
  long lastNs = Long.MIN_VALUE;
  long lastRelativeNs = Long.MIN_VALUE;

  /** Up to when its open work counts, for as long as somebody looks at it so. */
  long asOfNs = Nanos.UNKNOWN;

  /** When something came in that had just happened, by our clock: an import is no news. */
  long newsNs;

  long sealedSpans;

  /** Extent of its metric points. */
  private long firstPointNs = Long.MAX_VALUE;

  private long lastPointNs = Long.MIN_VALUE;

  /** When its own processes last sent one, by their clock. */
  private long lastSentNs = Long.MIN_VALUE;

  /** When a point came in that had just been measured, by our clock. */
  private long pointNewsNs;

  /** Verdicts of it that found no session within a day. */
  long droppedVerdicts;

  /**
   * What the board shows of a session that left.
   *
   * @param lastNs when something last happened in it
   * @param heardFrom the worker where that was, or null
   * @param words stages and errors of its spans
   */
  record Card(
      LiveReport.Row row,
      String batch,
      Status status,
      int spans,
      long lastNs,
      Worker worker,
      String heardFrom,
      String reason,
      Set<String> words)
      implements SessionFilter.Subject {
    @Override
    public String session() {
      return row.session();
    }

    @Override
    public String traceId() {
      return row.traceId();
    }

    @Override
    public String task() {
      return row.task();
    }

    @Override
    public String taskName() {
      return row.taskName();
    }

    @Override
    public boolean isOfStage(String stage) {
      return stage.equals(row.stage());
    }

    @Override
    public boolean anySpan(Predicate<String> like) {
      return words.stream().anyMatch(like);
    }
  }

  /** Sessions of a batch that left. */
  static final class Gone {
    final int[] byStatus = new int[Status.values().length];
    long spans;
    long firstNs = Long.MAX_VALUE;
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

  /** Whether times of this clock count from a zero that only its source knows. */
  static boolean isRelative(String clock) {
    return clock.startsWith("relative:");
  }

  /** Whether it goes on; a clock of its own tells of no run that it does (contracts.md 6.11). */
  boolean isLive(long clockNs) {
    return newestNs() >= EPOCH_TIMES_NS && AsOf.isLive(newestNs(), clockNs);
  }

  /** Its newest event or beat. */
  private long newestNs() {
    return Math.max(lastNs, lastSignNs);
  }

  /**
   * Up to when its open work counts: what is long over does not go on because somebody reads it.
   */
  public long now(long nowNs) {
    if (asOfNs != Nanos.UNKNOWN) {
      return asOfNs;
    }
    return goesOn(nowNs) ? nowNs : newestNs();
  }

  /** Whether that is not the time up to which its open work usually counts. */
  boolean isOtherTime(long nowNs, long clockNs) {
    long late = Math.abs(nowNs - now(clockNs));
    return late > (goesOn(clockNs) ? ABOUT_NOW_NS : 0);
  }

  private boolean goesOn(long clockNs) {
    return newestNs() == Long.MIN_VALUE || isLive(clockNs);
  }

  /** Whether it is long over and has open work. */
  public boolean isLeftOpen(long clockNs) {
    return !goesOn(clockNs) && hasOpen();
  }

  /** The newest beat of its processes. */
  public long lastSignNs() {
    return lastSignNs;
  }

  boolean hasOpen() {
    return sessions.stream().anyMatch(s -> s.facts().openCount() > 0 || !s.inferred.isEmpty());
  }

  /** Whether what last happened to a span was long over when something came in. */
  static boolean isHistory(HotSpan span, long receivedNs) {
    long last = span.isOpen() ? span.told.startNs() : span.told.endNs();
    return !isRelative(span.told.origin().clock()) && receivedNs - last > FRESH_NS;
  }

  private void began(long ns) {
    if (ns >= EPOCH_TIMES_NS) {
      firstNs = Math.min(firstNs, ns);
    } else {
      firstRelativeNs = Math.min(firstRelativeNs, ns);
    }
  }

  /** A span of the run has news. */
  void saw(HotSpan span, long receivedNs) {
    long last = span.isOpen() ? span.told.startNs() : span.told.endNs();
    if (!isRelative(span.told.origin().clock()) && !isHistory(span, receivedNs)) {
      newsNs = Math.max(newsNs, receivedNs);
    }
    if (span.counted) {
      return;
    }
    began(span.told.startNs());
    happened(span.told.origin().clock(), last);
    project = project == null ? span.told.origin().project() : project;
    system = system == null ? span.told.origin().system() : system;
    if (!span.isOpen()) {
      span.counted = true;
      if (!span.told.kind().isContainer()) {
        long took = span.told.endNs() - span.told.startNs();
        usual.add(span.stage(), span.told.endNs(), took);
        stageTimes.add(span.stage(), took);
      }
    }
  }

  /** A segment holds this span of the run, whose session is back in memory. */
  void sawSealed(SpanRecord span) {
    began(span.startNs());
    happened(span.origin().clock(), span.isOpen() ? span.startNs() : span.endNs());
  }

  /** A metric point of the run came in. */
  void saw(MetricPoint point, long receivedNs) {
    points(point.timeNs(), point.timeNs());
    boolean fresh = receivedNs - point.timeNs() <= FRESH_NS;
    pointNewsNs = fresh ? Math.max(pointNewsNs, receivedNs) : pointNewsNs;
    if (!point.scraped()) { // An engine outlives the run that it worked for.
      lastSentNs = Math.max(lastSentNs, point.timeNs());
      newsNs = fresh ? Math.max(newsNs, receivedNs) : newsNs;
    }
  }

  /** There are metric points from then to then. */
  void points(long fromNs, long toNs) {
    firstPointNs = Math.min(firstPointNs, fromNs);
    lastPointNs = Math.max(lastPointNs, toNs);
  }

  /** They are gone. */
  void forgetPoints() {
    firstPointNs = Long.MAX_VALUE;
    lastPointNs = Long.MIN_VALUE;
    lastSentNs = Long.MIN_VALUE;
  }

  /** Whether nothing is known of it. */
  boolean isEmpty() {
    return sessions.isEmpty() && gone.isEmpty() && !hasPoints();
  }

  private boolean hasPoints() {
    return firstPointNs != Long.MAX_VALUE;
  }

  void about(String saidProject, String saidSystem) {
    project = project == null ? saidProject : project;
    system = system == null ? saidSystem : system;
  }

  /** A session leaves; the board shows its card. */
  void left(HotSession session, Card card, SessionSummary<HotSpan> facts) {
    if (card.status() == Status.LOST) {
      deaths.add(session);
    }
    Card before = cards.put(session.key.id(), card);
    if (before != null) {
      uncount(before.batch(), before.status(), before.spans());
    }
    count(
        new History(
            name,
            card.batch(),
            card.status(),
            1,
            card.spans(),
            LiveView.start(facts),
            session.lastNs(),
            facts.trainStep(),
            facts.modelStep(),
            facts.futureStep()));
    Iterator<Card> oldest = cards.values().iterator();
    while (cards.size() > MOST_CARDS) {
      oldest.next();
      oldest.remove();
    }
  }

  /**
   * A session that left is back.
   *
   * @param row as segments hold it: it may have left before this process began
   */
  void returned(String session, ReturnedSession.Row row) {
    deaths.returned(session);
    Card before = cards.remove(session);
    if (before != null) {
      uncount(before.batch(), before.status(), before.spans());
    } else {
      uncount(row.batch(), row.status(), row.spans());
    }
  }

  private void uncount(String batch, Status status, long spans) {
    Gone counted = gone.get(batch == null ? "" : batch);
    if (counted != null && counted.byStatus[status.ordinal()] > 0) {
      counted.byStatus[status.ordinal()]--;
      counted.spans -= spans;
    }
  }

  /**
   * Sessions of a batch that ended alike.
   *
   * @param batch null for none
   */
  public record History(
      String run,
      String batch,
      Status status,
      int sessions,
      long spans,
      long firstNs,
      long lastNs,
      Long trainStep,
      Long modelStep,
      Long futureStep) {}

  /** Sessions that are only in segments. */
  void history(History told) {
    began(told.firstNs());
    lastNs = Math.max(lastNs, told.lastNs());
    count(told);
  }

  /** Segments hold an event of this instant. */
  void happened(String clock, long ns) {
    lastNs = Math.max(lastNs, ns);
    lastRelativeNs = isRelative(clock) ? Math.max(lastRelativeNs, ns) : lastRelativeNs;
  }

  /** What is in segments is about to be counted anew. */
  void forgetCounts() {
    gone.clear();
    sealedSpans = 0;
    firstNs = Long.MAX_VALUE;
    firstRelativeNs = Long.MAX_VALUE;
    for (HotSession session : sessions) {
      long first = session.facts().firstNs();
      if (first != Nanos.UNKNOWN) {
        began(first);
      }
    }
  }

  void dropCards(long beforeNs) {
    double before = Nanos.toSeconds(beforeNs);
    cards
        .values()
        .removeIf(c -> c.row().latestTimestampS() != null && c.row().latestTimestampS() < before);
  }

  private void count(History told) {
    String batch = told.batch() == null ? "" : told.batch();
    Gone counted = gone.get(batch);
    if (counted == null) {
      if (gone.size() >= MOST_BATCHES) {
        Iterator<String> oldest = gone.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
      counted = new Gone();
      gone.put(batch, counted);
    }
    counted.byStatus[told.status().ordinal()] += told.sessions();
    counted.spans += told.spans();
    counted.firstNs = Math.min(counted.firstNs, told.firstNs());
    counted.lastNs = Math.max(counted.lastNs, told.lastNs());
    counted.trainStep = told.trainStep() == null ? counted.trainStep : told.trainStep();
    counted.modelStep = told.modelStep() == null ? counted.modelStep : told.modelStep();
    counted.futureStep = told.futureStep() == null ? counted.futureStep : told.futureStep();
  }

  // ---- in one line -----------------------------------------------------------------------------

  /** A run nothing is known of. */
  public static HotRun empty(String name) {
    return new HotRun(name);
  }

  /** Whether any span or metric of it is known; spans may have turned out to be another run's. */
  public boolean isKnown() {
    boolean dated = firstNs != Long.MAX_VALUE || firstRelativeNs != Long.MAX_VALUE;
    return (dated && (!sessions.isEmpty() || !gone.isEmpty())) || hasPoints();
  }

  public RunSummary summary(long nowNs) {
    Set<String> batches = new HashSet<>(gone.keySet());
    long sessionCount = 0;
    long spans = sealedSpans;
    long open = 0;
    for (HotSession session : sessions) {
      SessionSummary<HotSpan> facts = session.facts();
      if (!session.key.lane()) {
        sessionCount++;
        batches.add(facts.batch() == null ? "" : facts.batch());
      }
      open += facts.openCount();
      spans += session.spans.stream().filter(s -> !s.sealed).count();
    }
    for (Gone batch : gone.values()) {
      sessionCount += batch.total();
    }
    batches.remove("");
    boolean news = nowNs - (lastNs == Long.MIN_VALUE ? pointNewsNs : newsNs) < RECENT_NS;
    return new RunSummary(
        name,
        project,
        system,
        news ? "live" : open == 0 ? "finished" : isLive(nowNs) ? "silent" : "ended",
        Nanos.toSeconds(beginning()),
        Nanos.toSeconds(end()),
        batches.size(),
        sessionCount,
        spans,
        open);
  }

  public String name() {
    return name;
  }

  /** When its newest event was. What is scraped counts where there is nothing else. */
  public long end() {
    long own = Math.max(lastNs, lastSentNs);
    return own == Long.MIN_VALUE ? lastPointNs : own;
  }

  private long beginning() {
    long first = Math.min(firstNs, firstPointNs);
    return first == Long.MAX_VALUE ? firstRelativeNs : first;
  }

  // ---- its processes ---------------------------------------------------------------------------

  /** A sign of life of a process of the run. */
  void sign(Sign sign, long receivedNs) {
    lastSignNs = Math.max(lastSignNs, sign.timeNs());
    boolean old = sign.origin().file() && receivedNs - sign.timeNs() > FRESH_NS;
    newsNs = sign.end() || old ? newsNs : Math.max(newsNs, receivedNs);
    if (signs.size() < MOST_PROCESSES || signs.containsKey(sign.origin().instance())) {
      signs.merge(sign.origin().instance(), sign, (a, b) -> b.timeNs() >= a.timeNs() ? b : a);
    }
  }

  /** Whether another process works in the place of one that was last heard of then. */
  boolean isReplaced(Worker worker, long sinceNs) {
    return signs.values().stream()
        .anyMatch(
            s ->
                s.timeNs() > sinceNs
                    && !s.end()
                    && worker.equals(new Worker(s.origin().workerRole(), s.origin().workerRank())));
  }

  /** The same words, once in memory. */
  Set<String> words(Set<String> same) {
    if (words.size() > MOST_CARDS) {
      words.clear();
    }
    return words.computeIfAbsent(same, w -> w);
  }

  /** The last sign of life of each of the run's processes. */
  void eachProcess(Consumer<Sign> visitor) {
    signs.values().forEach(visitor);
  }

  /** What the run's processes had to drop. */
  Drops drops() {
    Drops drops = new Drops();
    signs.values().forEach(sign -> drops.add(process(sign, sign.end())));
    return drops;
  }

  /**
   * What each of the run's processes said last.
   *
   * @param all knows which of them went on after their goodbye
   */
  public List<ProcessSign> processes(Processes all) {
    return signs.values().stream()
        .map(sign -> process(sign, all.hasEnded(sign.origin().instance())))
        .sorted(Comparator.comparing(ProcessSign::instance))
        .toList();
  }

  private static ProcessSign process(Sign sign, boolean ended) {
    return new ProcessSign(
        sign.origin().instance(),
        new Worker(sign.origin().workerRole(), sign.origin().workerRank()),
        sign.origin().host(),
        sign.origin().pid(),
        sign.timeNs(),
        ended,
        sign.droppedSpans(),
        sign.droppedStarts(),
        sign.droppedMetrics(),
        sign.cutAttributes(),
        0);
  }
}
