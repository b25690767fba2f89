package io.rollscope.core.view;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Status;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Adds up a live report, by the same rules for what is read from files and for what is in memory.
 *
 * @param <S> a session, as its source knows it
 */
public final class LiveReportBuilder<S> {
  private static final List<Status> ORDER =
      List.of(
          Status.RUNNING,
          Status.QUEUED,
          Status.COMPLETED,
          Status.ACCEPTED,
          Status.REJECTED,
          Status.FAILED,
          Status.DROPPED,
          Status.CANCELLED,
          Status.LOST);

  /** What is asked of a source about single sessions. */
  public interface Source<S> {
    /** The row of a session, but for what depends on others. */
    Row row(S session);

    /**
     * The group of a session that has done its own work: its innermost open span has ended children
     * and no open one. Else null.
     */
    Group waitingGroup(S session);

    /** Those of these groups in which an unfinished session does work of its own. */
    Set<Group> atWork(Set<Group> groups);

    /** How late a process reports. */
    double delayS(String process);
  }

  /** All open spans of one name. */
  private static final class Named {
    final String name;
    final String stage;
    final Double usual;
    final Durations ages = new Durations();
    long oldest = -1;
    String session;
    Supplier<String> traceId;
    String worker;
    boolean suspect;

    Named(String name, String stage, Double usual) {
      this.name = name;
      this.stage = stage;
      this.usual = usual;
    }

    OpenSpanSummary summary() {
      return new OpenSpanSummary(
          name,
          stage,
          ages.count(),
          Nanos.toSeconds(oldest),
          ages.seconds(.5),
          ages.seconds(.95),
          usual,
          suspect,
          traceId.get(),
          session,
          worker);
    }
  }

  /** Overdue spans of a session that may only wait for its siblings. */
  private record Waiting(Group group, String session, List<Named> spans, boolean newest) {}

  /**
   * A session that may be shown.
   *
   * @param first by what it stands before others: how overdue it is
   * @param then its age; of one that is not open its newest event
   * @param row null where the source is asked for it
   */
  private record Candidate<S>(
      boolean open, double first, double then, String id, S session, Row row) {}

  private final Source<S> source;
  private final Function<String, Double> usual;
  private final int skipped;
  private final int wanted;
  private final PriorityQueue<Candidate<S>> top;
  private final int[] byStatus = new int[Status.values().length];
  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<String, Named> open = new HashMap<>();
  private final LiveTally tally = new LiveTally();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Set<String> suspects = new HashSet<>();
  private long events;
  private int running;

  private Named[] named = new Named[8];
  private boolean[] overdue = new boolean[8];
  private int[] parents = new int[8];
  private int count;
  private boolean anyOverdue;
  private String session;
  private Supplier<String> traceId;
  private long nowNs;

  /**
   * @param usual p95 of a stage in seconds, or null
   * @param skipped rows to leave out at the beginning
   * @param rows how many to show then
   */
  public LiveReportBuilder(
      Source<S> source, Function<String, Double> usual, int skipped, int rows) {
    this.source = source;
    this.usual = usual;
    this.skipped = skipped;
    this.wanted = (int) Math.min(Integer.MAX_VALUE, (long) skipped + rows);
    this.top = new PriorityQueue<>(LiveReportBuilder::compareLast);
  }

  /** What goes on per worker and batch. */
  public LiveTally tally() {
    return tally;
  }

  /** Sessions in scope. */
  public void sessions(Status status, int howMany) {
    byStatus[status.ordinal()] += howMany;
  }

  /** Events of sessions in scope. */
  public void events(long howMany) {
    events += howMany;
  }

  /** A session in scope runs, and stands here. */
  public void runs(String stage) {
    running++;
    stages.merge(stage, 1, Integer::sum);
  }

  // ---- open spans ------------------------------------------------------------------------------

  /**
   * The open spans of a session, or of a lane, follow.
   *
   * @param trace its trace, asked for if it is shown
   */
  public void begin(String id, Supplier<String> trace, long now) {
    session = id;
    traceId = trace;
    nowNs = now;
    count = 0;
    anyOverdue = false;
  }

  /**
   * An open span.
   *
   * @param parent number of the open span of this session around it, or -1
   * @param process where it is open, or null
   */
  public void open(
      String name, String stage, long startNs, String worker, int parent, String process) {
    Named of = open.get(name);
    if (of == null) {
      of = new Named(name, stage, usual.apply(stage));
      open.put(name, of);
    }
    long age = Math.max(0, nowNs - startNs);
    of.ages.add(age);
    if (age > of.oldest || (age == of.oldest && session.compareTo(of.session) < 0)) {
      of.oldest = age;
      of.session = session;
      of.traceId = traceId;
      of.worker = worker;
    }
    if (count == named.length) {
      named = Arrays.copyOf(named, 2 * count);
      overdue = Arrays.copyOf(overdue, 2 * count);
      parents = Arrays.copyOf(parents, 2 * count);
    }
    named[count] = of;
    parents[count] = parent;
    double ageS = Nanos.toSeconds(age);
    overdue[count] =
        Overdue.isSuspect(ageS, of.usual, 0)
            && (process == null || Overdue.isSuspect(ageS, of.usual, source.delayS(process)));
    anyOverdue |= overdue[count++];
  }

  /**
   * These were all.
   *
   * @param newest number of the one that the session stands in, or -1
   * @param of the session, or null for a lane
   */
  public void end(int newest, S of) {
    if (!anyOverdue) {
      return;
    }
    boolean[] above = Overdue.above(overdue, parents, count);
    List<Named> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (overdue[i] && !above[i]) {
        found.add(named[i]);
      }
    }
    boolean stands = of != null && newest >= 0 && overdue[newest] && !above[newest];
    Group group = of == null ? null : source.waitingGroup(of);
    Waiting one = new Waiting(group, session, found, stands);
    if (group == null) {
      suspect(one);
    } else {
      waiting.add(one);
    }
  }

  private void suspect(Waiting one) {
    one.spans.forEach(n -> n.suspect = true);
    if (one.newest) {
      suspects.add(one.session);
    }
  }

  // ---- rows ------------------------------------------------------------------------------------

  /** The one that is shown last comes first. */
  private static <S> int compareLast(Candidate<S> a, Candidate<S> b) {
    return compare(b.open, b.first, b.then, b.id, a);
  }

  private static <S> int compare(
      boolean open, double first, double then, String id, Candidate<S> b) {
    if (open != b.open) {
      return open ? -1 : 1;
    }
    if (first != b.first) {
      return Double.compare(b.first, first);
    }
    return then != b.then ? Double.compare(b.then, then) : id.compareTo(b.id);
  }

  /** A session in which something is open, for so many seconds. */
  public void offerOpen(String id, double ageS, Double usualS, S of) {
    offer(true, Overdue.ratio(ageS, usualS), ageS, id, of, null);
  }

  /** A session in which nothing is open. */
  public void offerIdle(String id, double latestS, S of) {
    offer(false, 0, latestS, id, of, null);
  }

  /** A session that its source knows no more of than this. */
  public void offer(Row row) {
    Double latest = row.latestTimestampS();
    offer(false, 0, latest == null ? 0 : latest, row.session(), null, row);
  }

  private void offer(boolean isOpen, double first, double then, String id, S of, Row row) {
    boolean full = top.size() >= wanted;
    if (full && (wanted == 0 || compare(isOpen, first, then, id, top.peek()) >= 0)) {
      return;
    }
    if (full) {
      top.poll();
    }
    top.add(new Candidate<>(isOpen, first, then, id, of, row));
  }

  // ---- the answer ------------------------------------------------------------------------------

  /** Who is told of, most overdue first; and who only waits is found out. */
  public List<Row> rows() {
    List<Candidate<S>> best = new ArrayList<>(top);
    best.sort((a, b) -> compareLast(b, a));
    best = best.subList(Math.min(skipped, best.size()), best.size());
    Map<String, Group> groups = new HashMap<>();
    for (Candidate<S> c : best) {
      Group group = c.open && c.session != null ? source.waitingGroup(c.session) : null;
      if (group != null) {
        groups.put(c.id, group);
      }
    }
    Set<Group> asked = new HashSet<>(groups.values());
    waiting.forEach(w -> asked.add(w.group));
    Set<Group> atWork = asked.isEmpty() ? Set.of() : source.atWork(asked);
    waiting.stream().filter(w -> !atWork.contains(w.group)).forEach(this::suspect);
    waiting.clear();
    List<Row> rows = new ArrayList<>();
    for (Candidate<S> c : best) {
      Row row = c.row == null ? source.row(c.session) : c.row;
      boolean waits = groups.containsKey(c.id) && atWork.contains(groups.get(c.id));
      rows.add(row.as(suspects.contains(c.id), waits ? Row.SIBLINGS : row.waitsFor()));
    }
    return rows;
  }

  /** How many sessions are overdue, shown or not; to be asked after {@link #rows}. */
  public int overdue() {
    return suspects.size();
  }

  /** Open spans by name; to be asked after {@link #rows}. */
  public List<OpenSpanSummary> openSpans() {
    List<OpenSpanSummary> summaries = new ArrayList<>();
    open.values().forEach(of -> summaries.add(of.summary()));
    summaries.sort(
        Overdue.order(
            OpenSpanSummary::oldestAgeS,
            OpenSpanSummary::usualP95S,
            OpenSpanSummary::oldestSession));
    return summaries;
  }

  /** Sessions in scope, by status. */
  public Map<String, Integer> sessionSummary() {
    Map<String, Integer> summary = new LinkedHashMap<>();
    summary.put("total", Arrays.stream(byStatus).sum());
    for (Status status : ORDER) {
      summary.put(status.word(), byStatus[status.ordinal()]);
    }
    return summary;
  }

  /** The same in the words of XTuner. */
  public TaskSummary taskSummary() {
    Map<String, Integer> sorted = new LinkedHashMap<>();
    stages.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    int total = Arrays.stream(byStatus).sum();
    return new TaskSummary(total, running, total - running, sorted);
  }

  public long eventCount() {
    return events;
  }
}
