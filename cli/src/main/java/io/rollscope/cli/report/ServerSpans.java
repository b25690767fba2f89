package io.rollscope.cli.report;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.PieceList;
import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.accounting.SpanSet;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Status;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Nesting;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SpanColumns;
import io.rollscope.core.view.SpanColumnsBuilder;
import io.rollscope.core.view.TimelineReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Brings the spans that a server gives into the columns of a report. */
final class ServerSpans {
  /** Clocks that begin with a machine are not yet decades old. */
  private static final long RELATIVE_NS = 1_000_000_000_000_000_000L;

  private final SessionColumns sessions;
  private final Map<String, Integer> places = new HashMap<>();
  private final SpanColumnsBuilder columns = new SpanColumnsBuilder();
  private final Nesting nesting = new Nesting();
  private final Accounting accounting = new Accounting();
  private final PieceList pieces = new PieceList();

  private ServerSpans(SessionColumns sessions) {
    this.sessions = sessions;
    for (int i = 0; i < sessions.session().length; i++) {
      places.put(sessions.session()[i], i);
    }
  }

  /**
   * @param ofSessions lanes are sessions; those not among {@code sessions} are left out
   * @param ofProcesses lanes are tracks of processes
   */
  static SpanColumns of(
      SessionColumns sessions, TimelineReport ofSessions, TimelineReport ofProcesses) {
    ServerSpans all = new ServerSpans(sessions);
    all.add(ofSessions, true);
    all.add(ofProcesses, false);
    return all.columns.build();
  }

  private void add(TimelineReport from, boolean areSessions) {
    int to;
    for (int first = 0; first < from.lane().length; first = to) {
      to = first;
      while (to < from.lane().length && from.lane()[to] == from.lane()[first]) {
        to++;
      }
      String name = from.lanes().get(from.lane()[first]);
      Lane lane = new Lane(from, first, to - first, true);
      if (!areSessions) {
        addTrack(name, lane);
      } else if (places.containsKey(name)) {
        addSession(places.get(name), lane);
      }
    }
  }

  private void addSession(int place, Lane lane) {
    long start = Math.round(sessions.startS()[place] * 1e9);
    for (int i = 0; i < lane.count(); i++) {
      // As a double the start is good to a quarter of a microsecond only.
      start = Math.abs(lane.start(i) - start) < 1_000 ? lane.start(i) : start;
    }
    long end = start + nanos(sessions.wallS()[place]);
    boolean finalised = sessions.finalised()[place];
    account(lane, start, end, finalised, nanos(sessions.siblingsS()[place]));
    boolean measured = finalised || (hasEnded(place) && !lane.hasSessionSpan());
    columns.beginSession(place, groupOf(place), measured, start < RELATIVE_NS, start, end);
    addSpans(lane, true, sessions.worker()[place]);
    pieces.tell((leaf, from, to) -> columns.addPiece(leaf, to));
  }

  /** Batch and task, or batch and inferred group. */
  private Object groupOf(int place) {
    int task = sessions.task()[place];
    int inferred = sessions.inferredGroup()[place];
    return task < 0 && inferred < 0
        ? null
        : List.of(sessions.batch()[place], task, task < 0 ? inferred : -1);
  }

  private boolean hasEnded(int place) {
    String status = sessions.statuses().get(sessions.status()[place]);
    return !status.equals(Status.QUEUED.word())
        && !status.equals(Status.RUNNING.word())
        && !status.equals(Status.LOST.word());
  }

  private void addTrack(String name, Lane lane) {
    long start = lane.start(0);
    long end = start;
    for (int i = 0; i < lane.count(); i++) {
      end = Math.max(end, lane.until(i));
    }
    account(lane, start, end, false, 0);
    columns.beginTrack(name, start, end);
    addSpans(lane, false, -1);
    pieces.tell((leaf, from, to) -> columns.addPiece(leaf, to));
  }

  /**
   * Whether parents are what the source said or guessed from time, only the self times tell. How
   * long a session waited for siblings the server says: that is how far its waits go.
   */
  private void account(Lane lane, long from, long to, boolean finalised, long siblings) {
    accounting.tell(null, SiblingWaits.NOBODY);
    accounting.account(lane.withIds(false), from, to, finalised);
    long byTime = strangeness(lane);
    accounting.account(lane.withIds(true), from, to, finalised);
    boolean byIds = strangeness(lane) <= byTime;
    if (!byIds) {
      accounting.account(lane.withIds(false), from, to, finalised);
    }
    pieces.clear();
    accounting.tell(pieces, othersEnd(siblings));
    accounting.account(lane.withIds(byIds), from, to, finalised);
  }

  private long strangeness(Lane lane) {
    long sum = 0;
    for (int i = 0; i < lane.count(); i++) {
      sum += Math.abs(accounting.self(i) - lane.self(i));
    }
    return sum;
  }

  private long othersEnd(long siblings) {
    long left = siblings;
    long end = SiblingWaits.NOBODY;
    for (int k = 0; k < accounting.candidateCount() && left > 0; k++) {
      long length = accounting.candidateTo(k) - accounting.candidateFrom(k);
      end = accounting.candidateFrom(k) + Math.min(left, length);
      left -= length;
    }
    return end;
  }

  private void addSpans(Lane lane, boolean session, int worker) {
    boolean[] critical = new boolean[lane.count()];
    Nesting.Branch[] branches = new Nesting.Branch[lane.count()];
    for (int i = 0; i < lane.count(); i++) {
      for (int up = accounting.self(i) > 0 ? i : -1;
          up >= 0 && !critical[up];
          up = lane.above(up)) {
        critical[up] = true;
      }
      Nesting.Branch around = lane.above(i) < 0 ? nesting.root() : branches[lane.above(i)];
      branches[i] = lane.isWork(i) ? nesting.inside(around, lane.name(i).stage()) : around;
    }
    for (int i = 0; i < lane.count(); i++) {
      columns.add(
          new SpanColumnsBuilder.Span(
              lane.name(i),
              lane.kind(i),
              lane.isWork(i),
              lane.outcome(i),
              worker < 0 ? null : sessions.workers().get(worker),
              lane.error(i),
              lane.above(i),
              lane.depth(i),
              lane.start(i),
              lane.until(i) - lane.start(i),
              lane.end(i) == Nanos.OPEN,
              false,
              session && lane.isWork(i) ? branches[i] : null,
              critical[i]));
    }
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  /** The spans of one lane; parents come before what lies in them. */
  private record Lane(TimelineReport from, int first, int count, boolean hasParents)
      implements SpanSet {

    Lane withIds(boolean ids) {
      return new Lane(from, first, count, ids);
    }

    long self(int i) {
      return first + i < from.selfNs().length ? from.selfNs()[first + i] : 0;
    }

    private int at(int[] column, int i, int otherwise) {
      return first + i < column.length ? column[first + i] : otherwise;
    }

    int above(int i) {
      int parent = at(from.parent(), i, -1) - first;
      return parent >= 0 && parent < i ? parent : -1;
    }

    int depth(int i) {
      return at(from.depth(), i, 0);
    }

    SpanName name(int i) {
      int n = first + i;
      return new SpanName(from.names().get(from.name()[n]), from.stages().get(from.stage()[n]));
    }

    String outcome(int i) {
      return from.outcomes().get(from.outcome()[first + i]);
    }

    String error(int i) {
      int why = at(from.error(), i, -1);
      return why < 0 ? null : from.errors().get(why);
    }

    long until(int i) {
      return start(i) + from.durationNs()[first + i];
    }

    @Override
    public long start(int i) {
      return from.fromNs() + from.startNs()[first + i];
    }

    @Override
    public long end(int i) {
      return from.open()[first + i] ? Nanos.OPEN : until(i);
    }

    /** Whether its source tells when sessions are finalised. */
    boolean hasSessionSpan() {
      return IntStream.range(0, count()).anyMatch(i -> kind(i) == Kind.SESSION);
    }

    @Override
    public Kind kind(int i) {
      String word = from.kinds().get(from.kind()[first + i]);
      for (Kind kind : Kind.values()) {
        if (kind.word().equals(word)) {
          return kind;
        }
      }
      return Kind.PHASE;
    }

    @Override
    public boolean isWork(int i) {
      return !kind(i).isContainer() && !name(i).equals(SpanName.NOT_YET_SEEN);
    }

    @Override
    public long spanId(int i) {
      return i + 1L;
    }

    @Override
    public long parentId(int i) {
      return above(i) + 1L;
    }

    @Override
    public String rawName(int i) {
      return name(i).raw();
    }
  }
}
