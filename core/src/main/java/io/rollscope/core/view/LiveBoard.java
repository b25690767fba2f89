package io.rollscope.core.view;

import io.rollscope.core.model.Status;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;

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

  private ScopeFilter filter;
  private int rowsSeen;
  private int sessionsSeen;
  private final ByteColumn status = new ByteColumn(UNSEEN);
  private final IntColumn scopedRows = new IntColumn(0);
  private final LongColumn latest = new LongColumn(Nanos.UNKNOWN);
  private final BitSet inNewestBatch = new BitSet();
  private final Map<Integer, OpenSession> open = new HashMap<>();
  private final Map<Integer, OpenSession> openLanes = new TreeMap<>();
  private List<OpenSession> openInScope = List.of();

  private int[] inScope = new int[0];
  private int inScopeCount;
  private int[] byStatus = new int[STATUSES.length];
  private long eventCount;
  private LiveTally tally = new LiveTally();
  private final Map<Integer, LiveReport.Row> openRows = new HashMap<>();
  private List<LiveReport.Row> idleRows;
  private int idleRoom;

  /** The open spans of one session; the newest is where the session stands. */
  record OpenSession(int session, int[] names, long[] starts, String[] workers, int newest) {}

  public LiveBoard(SpanTable table, Scope scope) {
    this.table = table;
    this.scope = scope;
    this.spans = new SessionSpans(table);
    this.places = new LivePlaces(table);
    this.filter = new ScopeFilter(table, scope);
    update(true);
  }

  /** Takes in what was appended since the last call. */
  public void update() {
    if (table.rows() != rowsSeen || table.sessionCount() != sessionsSeen) {
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
      openRows.clear();
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
    if (!all && !Objects.equals(before.newestBatch(), filter.newestBatch())) {
      filter.findInNewestBatch(inNewestBatch);
    }
    idleRows = null;
    rowsSeen = table.rows();
    sessionsSeen = table.sessionCount();
    count();
  }

  private BitSet sessionsWithNews() {
    BitSet news = new BitSet(table.sessionCount());
    news.set(sessionsSeen, table.sessionCount());
    for (int row = rowsSeen; row < table.rows(); row++) {
      news.set(table.session(row));
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
      spans.load(s);
      put(openLanes, s, spans.newestOpen());
      return;
    }
    openRows.remove(s);
    spans.load(s, filter.kept());
    Status now = SessionState.statusOf(spans);
    status.set(s, (byte) now.ordinal());
    scopedRows.set(s, spans.rowCount());
    latest.set(s, spans.latestTime());
    places.look(spans);
    inNewestBatch.set(s, filter.isInNewestBatch(spans));
    put(open, s, now == Status.RUNNING || now == Status.LOST ? spans.newestOpen() : -1);
  }

  /**
   * @param newest the newest open span of what is loaded, or -1
   */
  private void put(Map<Integer, OpenSession> into, int s, int newest) {
    if (newest < 0) {
      into.remove(s);
      return;
    }
    int count = 0;
    int[] names = new int[spans.count()];
    long[] starts = new long[spans.count()];
    String[] workers = new String[spans.count()];
    int newestAt = 0;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.isOpen(i)) {
        newestAt = i == newest ? count : newestAt;
        names[count] = spans.name(i);
        starts[count] = spans.start(i);
        workers[count++] = spans.at(i).worker().label();
      }
    }
    into.put(
        s,
        new OpenSession(
            s,
            Arrays.copyOf(names, count),
            Arrays.copyOf(starts, count),
            Arrays.copyOf(workers, count),
            newestAt));
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
    byStatus = new int[STATUSES.length];
    eventCount = 0;
    tally = new LiveTally();
    for (int s = 0; s < table.sessionCount(); s++) {
      if (status.get(s) != UNSEEN && isInScope(s)) {
        inScope[inScopeCount++] = s;
        if (open.containsKey(s)) {
          openMembers.add(open.get(s));
        }
        byStatus[status.get(s)]++;
        eventCount += scopedRows.get(s);
        places.count(s, STATUSES[status.get(s)], latest.get(s), tally);
      }
    }
    openInScope = openMembers;
  }

  private boolean isInScope(int s) {
    return switch (scope.kind()) {
      case ALL -> true;
      case ACTIVE -> STATUSES[status.get(s)].isUnfinished() || inNewestBatch.get(s);
      case LATEST, BATCH -> filter.kept() == null || scopedRows.get(s) > 0;
    };
  }

  // ---- what reports are made of ----------------------------------------------------------------

  /** The report as of {@code nowNs}, with at most {@code maxRows} sessions. */
  public LiveReport report(ReportContext context, long nowNs, int maxRows) {
    return new LiveReports(this, context, nowNs).report(maxRows);
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

  int inScopeCount() {
    return inScopeCount;
  }

  /** When a session was last heard of, as far as in scope. */
  long latest(int s) {
    return latest.get(s);
  }

  /** The row of an open session as it was when the session last changed; its ages are old. */
  LiveReport.Row openRow(int s, IntFunction<LiveReport.Row> maker) {
    return openRows.computeIfAbsent(s, maker::apply);
  }

  /** Made once per change of the table, for as many rows as were asked for. */
  List<LiveReport.Row> idleRows(int room, IntFunction<List<LiveReport.Row>> maker) {
    if (idleRows == null || idleRoom < room) {
      idleRows = maker.apply(room);
      idleRoom = room;
    }
    return idleRows;
  }

  /** What goes on per worker and batch, as of now. */
  LiveTally tally(long nowNs) {
    LiveTally all = new LiveTally();
    all.addAll(tally);
    for (int i = 0; i < inScopeCount; i++) {
      int s = inScope[i];
      if (!STATUSES[status.get(s)].isUnfinished()) {
        all.endedAgo(now(s, nowNs) - Math.max(latest.get(s), table.finalised(s)));
      }
    }
    for (OpenSession session : openInScope) {
      for (int i = 0; i < session.starts().length; i++) {
        all.open(session.workers()[i], now(session.session(), nowNs) - session.starts()[i]);
      }
    }
    return all;
  }

  int[] byStatus() {
    return byStatus;
  }

  long eventCount() {
    return eventCount;
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
