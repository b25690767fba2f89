package io.rollscope.core.view;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.Parents;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.ByteColumn;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Where every session stands, kept up to date as rows are appended: only sessions with news are
 * paired again, and a look at an unchanged table touches nothing but the open spans.
 */
public final class LiveBoard {
  private static final byte UNSEEN = -1;
  private static final Status[] STATUSES = Status.values();

  private final SpanTable table;
  private final Scope scope;
  private final SessionSpans spans;
  private final UsualDurations usual = new UsualDurations();
  private final LivePlaces places;
  private final Parents parents;

  private ScopeFilter filter;
  private int rowsSeen;
  private int sessionsSeen;
  private int changesSeen;
  private final ByteColumn status = new ByteColumn(UNSEEN);
  private final IntColumn scopedRows = new IntColumn(0);
  private final LongColumn latest = new LongColumn(Nanos.UNKNOWN);
  private final Map<Integer, OpenSession> open = new HashMap<>();
  private final Map<Integer, OpenSession> openLanes = new TreeMap<>();
  private List<OpenSession> openInScope = List.of();

  private int[] inScope = new int[0];
  private int inScopeCount;
  private LiveTally tally = new LiveTally();
  private final Map<Integer, LiveReport.Row> rows = new HashMap<>();

  /**
   * The open spans of one session; the newest is where the session stands.
   *
   * @param inferred which of them are not known but by a child
   * @param parents which of them is around each, or -1
   * @param waits whether the newest has ended children and no open one
   */
  record OpenSession(
      int session,
      int[] names,
      long[] starts,
      String[] workers,
      boolean[] inferred,
      int[] parents,
      int newest,
      boolean waits) {}

  public LiveBoard(SpanTable table, Scope scope) {
    this.table = table;
    this.scope = scope;
    this.spans = new SessionSpans(table);
    this.places = new LivePlaces(table);
    this.parents = new Parents(spans);
    this.filter = new ScopeFilter(table, scope);
    update(true);
  }

  /** Takes in what was appended since the last call. */
  public void update() {
    if (table.rows() != rowsSeen
        || table.sessionCount() != sessionsSeen
        || table.changes() != changesSeen) {
      update(false);
    }
  }

  private void update(boolean everything) {
    ScopeFilter before = filter;
    filter = new ScopeFilter(table, scope);
    boolean all = everything || !isExtended(before.kept(), filter.kept());
    if (all) {
      open.clear();
      openLanes.clear();
      rows.clear();
      for (int s = 0; s < table.sessionCount(); s++) {
        look(s);
      }
    }
    // What is usual does not depend on the scope.
    boolean learned = !everything;
    BitSet news = sessionsWithNews();
    for (int s = news.nextSetBit(0); s >= 0; s = news.nextSetBit(s + 1)) {
      if (!all) {
        look(s);
      }
      learned = learned && learn(s, rowsSeen);
    }
    if (!learned) {
      learnAll();
    }
    rowsSeen = table.rows();
    sessionsSeen = table.sessionCount();
    changesSeen = table.changes();
    count();
  }

  private BitSet sessionsWithNews() {
    BitSet news = new BitSet(table.sessionCount());
    news.set(sessionsSeen, table.sessionCount());
    for (int row = rowsSeen; row < table.rows(); row++) {
      if (table.session(row) >= 0) {
        news.set(table.session(row));
      }
    }
    for (int change = changesSeen; change < table.changes(); change++) {
      news.set(table.changedSession(change));
    }
    return news;
  }

  /** Whether the events in scope before still are, so that old sessions need no second look. */
  private static boolean isExtended(boolean[] before, boolean[] after) {
    if (before == null || after == null) {
      return before == after;
    }
    return Arrays.equals(before, 0, before.length, after, 0, before.length);
  }

  private void look(int s) {
    if (table.isLane(s)) {
      open.remove(s);
      rows.remove(s);
      status.set(s, UNSEEN);
      spans.load(s);
      put(openLanes, s, spans.newestOpen());
      return;
    }
    rows.remove(s);
    spans.load(s, filter.kept());
    Status now = SessionState.statusOf(spans);
    status.set(s, (byte) now.ordinal());
    scopedRows.set(s, spans.eventCount());
    latest.set(s, spans.latestTime());
    places.look(spans);
    put(open, s, now == Status.RUNNING ? spans.newestOpen() : -1);
  }

  /**
   * @param newest the newest open span of what is loaded, or -1
   */
  private void put(Map<Integer, OpenSession> into, int s, int newest) {
    if (newest < 0) {
      into.remove(s);
      return;
    }
    parents.find();
    int[] numbers = new int[spans.count()];
    int count = 0;
    boolean endedChild = false;
    boolean openChild = false;
    for (int i = 0; i < spans.count(); i++) {
      boolean isOpen = spans.outcome(i) == Outcome.OPEN;
      endedChild |= parents.of(i) == newest && !spans.isOpen(i);
      openChild |= parents.of(i) == newest && isOpen;
      numbers[i] = isOpen ? count++ : -1;
    }
    OpenSession session =
        new OpenSession(
            s,
            new int[count],
            new long[count],
            new String[count],
            new boolean[count],
            new int[count],
            numbers[newest],
            endedChild && !openChild);
    for (int i = 0; i < spans.count(); i++) {
      int n = numbers[i];
      if (n >= 0) {
        session.names[n] = spans.name(i);
        session.starts[n] = spans.start(i);
        session.workers[n] = spans.at(i).worker().label();
        session.inferred[n] = spans.isInferred(i);
        session.parents[n] = parents.of(i) < 0 ? -1 : numbers[parents.of(i)];
      }
    }
    into.put(s, session);
  }

  /** Learns from spans closed by rows from {@code firstNew} on; false if that is not possible. */
  private boolean learn(int s, int firstNew) {
    if (filter.kept() != null || table.isLane(s) || spans.session() != s) {
      spans.load(s);
    }
    if (spans.isDisorderedBy(firstNew)) {
      return false;
    }
    for (int i = 0; i < spans.count(); i++) {
      if (!spans.isOpen(i) && spans.endRow(i) >= firstNew) {
        learnSpan(i);
      }
    }
    return true;
  }

  private void learnSpan(int i) {
    if (!spans.kind(i).isContainer()) {
      usual.add(spans.stage(i), spans.end(i), spans.end(i) - spans.start(i));
    }
  }

  private void learnAll() {
    usual.clear();
    for (int s = 0; s < table.sessionCount(); s++) {
      spans.load(s);
      for (int i = 0; i < spans.count(); i++) {
        if (!spans.isOpen(i)) {
          learnSpan(i);
        }
      }
    }
  }

  private void count() {
    if (inScope.length < table.sessionCount()) {
      inScope = new int[table.sessionCount() + table.sessionCount() / 2];
    }
    List<OpenSession> openMembers = new ArrayList<>();
    inScopeCount = 0;
    tally = new LiveTally();
    for (int s = 0; s < table.sessionCount(); s++) {
      if (status.get(s) != UNSEEN && isInScope(s)) {
        inScope[inScopeCount++] = s;
        if (open.containsKey(s)) {
          openMembers.add(open.get(s));
        }
        places.count(s, STATUSES[status.get(s)], latest.get(s), tally);
      }
    }
    openInScope = openMembers;
  }

  private boolean isInScope(int s) {
    return filter.kept() == null
        ? filter.isIn(places.batch(s), STATUSES[status.get(s)])
        : scopedRows.get(s) > 0;
  }

  // ---- what reports are made of ----------------------------------------------------------------

  /** The report as of {@code nowNs}, with at most {@code maxRows} sessions. */
  public LiveReport report(ReportContext context, long nowNs, int maxRows) {
    return new LiveReports(this, context, nowNs).report(SessionFilter.NONE, 0, maxRows);
  }

  /**
   * The report as of what is asked for; else as of now for a run that goes on, and as of its last
   * event for others.
   *
   * @param skipped rows to leave out at the beginning
   */
  public LiveReport report(
      ReportContext context, Selection selection, long clockNs, int skipped, int maxRows) {
    long newest = table.newestEvent();
    long own = newest == Nanos.UNKNOWN ? table.newestOnOwnClocks() : newest;
    long last = own == Nanos.UNKNOWN ? clockNs : own;
    long asOf = AsOf.of(newest, clockNs);
    long now = selection.nowNs() == Nanos.UNKNOWN ? asOf : selection.nowNs();
    boolean past = now == Nanos.UNKNOWN;
    return new LiveReports(this, context, past ? last : now)
        .report(selection.filter(), skipped, maxRows)
        .past(past);
  }

  SpanTable table() {
    return table;
  }

  Scope scope() {
    return scope;
  }

  /** Numbers of the sessions in scope. */
  int[] inScope() {
    return Arrays.copyOf(inScope, inScopeCount);
  }

  /** Numbers of the sessions of a status, in scope or not. */
  int[] ofStatus(Status wanted) {
    return IntStream.range(0, table.sessionCount())
        .filter(s -> status.get(s) == wanted.ordinal())
        .toArray();
  }

  /** Its batch, or null. */
  String batch(int s) {
    return places.batch(s);
  }

  Status status(int s) {
    return STATUSES[status.get(s)];
  }

  /** When a session was last heard of, as far as in scope. */
  long latest(int s) {
    return latest.get(s);
  }

  int events(int s) {
    return scopedRows.get(s);
  }

  /** The row of a session as it was when the session last changed; its ages are old. */
  LiveReport.Row row(int s, IntFunction<LiveReport.Row> maker) {
    return rows.computeIfAbsent(s, maker::apply);
  }

  /** Adds what goes on per worker and batch, as of now. */
  void tally(long nowNs, LiveTally all) {
    all.addAll(tally);
    for (int i = 0; i < inScopeCount; i++) {
      int s = inScope[i];
      if (!STATUSES[status.get(s)].isUnfinished()) {
        all.endedAgo(now(s, nowNs) - Math.max(latest.get(s), table.finalised(s)));
      }
    }
    for (OpenSession session : openInScope) {
      for (int i = 0; i < session.starts().length; i++) {
        if (!session.inferred()[i]) {
          all.open(session.workers()[i], now(session.session(), nowNs) - session.starts()[i]);
        }
      }
    }
  }

  /** The group whose end a session waits for, or null. */
  Group group(int s) {
    return places.group(s);
  }

  /** Those of these groups in which an unfinished session does work of its own. */
  Set<Group> atWork(Set<Group> groups) {
    Set<Group> found = new HashSet<>();
    for (int s = 0; s < table.sessionCount(); s++) {
      boolean counts = status.get(s) != UNSEEN && STATUSES[status.get(s)].isUnfinished();
      Group group = counts ? places.group(s) : null;
      OpenSession session = open.get(s);
      if (group != null && groups.contains(group) && (session == null || !session.waits())) {
        found.add(group);
      }
    }
    return found;
  }

  List<OpenSession> openSessions() {
    return openInScope;
  }

  /** Lanes with open spans; they are in every scope. */
  Collection<OpenSession> openLanes() {
    return openLanes.values();
  }

  OpenSession openSession(int s) {
    return open.get(s);
  }

  Double usualP95(String stage) {
    return usual.p95(stage);
  }

  /** Loads a session's spans as far as they are in scope. */
  SessionSpans load(int s) {
    spans.load(s, filter.kept());
    return spans;
  }

  /** Now on the clock of this session: a relative clock stands where its last event was. */
  long now(int s, long nowNs) {
    return table.hasRelativeClock(s) ? table.newestInstant(s) : nowNs;
  }
}
