package io.rollscope.core.pairing;

import io.rollscope.core.accounting.SpanSet;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.stats.IndexSort;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The spans of one session, paired from its rows: per name, an end closes the newest open start
 * (last in, first out), in order of time, ties in load order. An end without a start becomes a span
 * if it says how long it took. The object is a buffer, loaded with one session after another.
 */
public final class SessionSpans implements SpanSet {

  /** Wall clock and monotonic clock may differ by this much before a span is flagged. */
  private static final long CLOCK_TOLERANCE_NS = 100_000_000;

  private static final int NONE = -1;

  private final SpanTable table;
  private int session;

  private int[] rows = new int[64];
  private int rowCount;
  private int latestRow;

  private int count;
  private int[] name = new int[64];
  private long[] start = new long[64];
  private long[] end = new long[64];
  private byte[] kind = new byte[64];
  private int[] startRow = new int[64];
  private int[] endRow = new int[64];
  private boolean[] clockDisagrees = new boolean[64];
  private int[] depth = new int[64];

  /** Per name: top of the stack of open spans, valid when stamped for this load. */
  private int[] top = new int[64];

  private int[] topStamp = new int[64];
  private int[] below = new int[64];
  private int stamp;

  public SessionSpans(SpanTable table) {
    this.table = table;
  }

  /** Loads a session with all its rows. */
  public void load(int session) {
    load(session, null);
  }

  /**
   * Loads a session.
   *
   * @param kept which coordinates are in scope, or null for all
   */
  public void load(int session, boolean[] kept) {
    this.session = session;
    collectRows(kept);
    pair();
  }

  private void collectRows(boolean[] kept) {
    rowCount = 0;
    for (int row = table.newestRow(session); row >= 0; row = table.previous(row)) {
      if (kept == null || kept[table.coordinates(row)]) {
        if (rowCount == rows.length) {
          rows = Arrays.copyOf(rows, rowCount * 2);
        }
        rows[rowCount++] = row;
      }
    }
    for (int i = 0, j = rowCount - 1; i < j; i++, j--) {
      int swap = rows[i];
      rows[i] = rows[j];
      rows[j] = swap;
    }
    IndexSort.sort(rows, rowCount, (a, b) -> table.time(a) < table.time(b));
  }

  private void pair() {
    count = 0;
    stamp++;
    latestRow = NONE;
    long latest = Nanos.UNKNOWN;
    if (top.length < table.nameCount()) {
      top = Arrays.copyOf(top, table.nameCount() * 2);
      topStamp = Arrays.copyOf(topStamp, top.length);
    }
    for (int i = 0; i < rowCount; i++) {
      int row = rows[i];
      byte packed = table.kind(row);
      long time = table.time(row);
      long last = time;
      switch (RowKind.form(packed)) {
        case RowKind.START -> open(row, packed, time);
        case RowKind.END -> close(row, packed, time);
        case RowKind.SPAN -> {
          long extent = table.extent(row);
          add(table.name(row), time, extent, packed, row, row);
          if (extent != Nanos.OPEN) {
            last = Math.max(time, extent);
          }
        }
        default -> {}
      }
      boolean later = last > latest || (last == latest && isAfter(row, latestRow));
      if (later && !table.isInferred(row)) {
        latest = last;
        latestRow = row;
      }
    }
  }

  /** Of two that happened last: what began later, then the larger id, then what was read later. */
  private boolean isAfter(int row, int other) {
    return other == NONE
        || table.time(row) > table.time(other)
        || Long.compareUnsigned(table.spanId(row), table.spanId(other)) >= 0;
  }

  private void open(int row, byte packed, long time) {
    int id = table.name(row);
    add(id, time, Nanos.OPEN, packed, row, NONE);
    kind[count - 1] = RowKind.of(RowKind.SPAN, Outcome.OPEN, RowKind.kind(packed));
    int under = topStamp[id] == stamp ? top[id] : NONE;
    below[count - 1] = under;
    top[id] = count - 1;
    topStamp[id] = stamp;
  }

  private void close(int row, byte packed, long time) {
    int id = table.name(row);
    int newest = topStamp[id] == stamp ? top[id] : NONE;
    long elapsed = table.extent(row);
    if (newest == NONE) {
      if (elapsed != Nanos.UNKNOWN) {
        long from = Math.max(-Nanos.LIMIT, time - Math.max(0, elapsed));
        add(id, from, time, packed, NONE, row);
      }
      return;
    }
    top[id] = below[newest];
    end[newest] = time;
    endRow[newest] = row;
    kind[newest] = RowKind.of(RowKind.SPAN, RowKind.outcome(packed), RowKind.kind(kind[newest]));
    clockDisagrees[newest] =
        elapsed != Nanos.UNKNOWN && Math.abs(time - start[newest] - elapsed) > CLOCK_TOLERANCE_NS;
  }

  private void add(int id, long from, long to, byte packed, int fromRow, int toRow) {
    if (count == name.length) {
      grow();
    }
    name[count] = id;
    start[count] = from;
    end[count] = to == Nanos.OPEN ? to : Math.max(from, to);
    kind[count] = packed;
    startRow[count] = fromRow;
    endRow[count] = toRow;
    clockDisagrees[count] = false;
    count++;
  }

  private void grow() {
    int size = count * 2;
    name = Arrays.copyOf(name, size);
    start = Arrays.copyOf(start, size);
    end = Arrays.copyOf(end, size);
    kind = Arrays.copyOf(kind, size);
    startRow = Arrays.copyOf(startRow, size);
    endRow = Arrays.copyOf(endRow, size);
    clockDisagrees = Arrays.copyOf(clockDisagrees, size);
    depth = Arrays.copyOf(depth, size);
    below = Arrays.copyOf(below, size);
  }

  // ---- the session -----------------------------------------------------------------------------

  public SpanTable table() {
    return table;
  }

  public int session() {
    return session;
  }

  /** How many rows of the session are in scope. */
  public int rowCount() {
    return rowCount;
  }

  /** How many of them tell of something: a parent that is only inferred does not. */
  public int eventCount() {
    int events = rowCount;
    for (int i = 0; i < rowCount; i++) {
      events -= table.isInferred(rows[i]) ? 1 : 0;
    }
    return events;
  }

  /** The i-th row in order of time. */
  public int row(int i) {
    return rows[i];
  }

  /** The row that happened last, or -1. */
  public int latestRow() {
    return latestRow;
  }

  /** When the last thing happened, or {@link Nanos#UNKNOWN}. */
  public long latestTime() {
    return latestRow == NONE ? Nanos.UNKNOWN : instantOf(latestRow);
  }

  private long instantOf(int row) {
    boolean closed =
        RowKind.form(table.kind(row)) == RowKind.SPAN && table.extent(row) != Nanos.OPEN;
    return closed ? Math.max(table.time(row), table.extent(row)) : table.time(row);
  }

  /** Earliest time of anything in the session, or {@link Nanos#UNKNOWN}. */
  public long earliestTime() {
    long earliest = rowCount == 0 ? Nanos.UNKNOWN : table.time(rows[0]);
    for (int i = 0; i < count; i++) {
      earliest = Math.min(earliest, start[i]);
    }
    return earliest;
  }

  /**
   * Whether a row from {@code firstNew} on happened before an older row of the same name, so that
   * spans told before may not be told now.
   */
  public boolean isDisorderedBy(int firstNew) {
    stamp++;
    for (int i = 0; i < rowCount; i++) {
      int form = RowKind.form(table.kind(rows[i]));
      if (form == RowKind.START || form == RowKind.END) {
        int id = table.name(rows[i]);
        if (rows[i] >= firstNew) {
          topStamp[id] = stamp;
        } else if (topStamp[id] == stamp) {
          return true;
        }
      }
    }
    return false;
  }

  // ---- its spans -------------------------------------------------------------------------------

  @Override
  public int count() {
    return count;
  }

  public int name(int i) {
    return name[i];
  }

  public String stage(int i) {
    return table.nameOf(name[i]).stage();
  }

  @Override
  public long start(int i) {
    return start[i];
  }

  /** End, or {@link Nanos#OPEN}. */
  @Override
  public long end(int i) {
    return end[i];
  }

  /** End, or {@code now} (but not before the start) for an open span. */
  @Override
  public long end(int i, long now) {
    return end[i] == Nanos.OPEN ? Math.max(start[i], now) : end[i];
  }

  public Outcome outcome(int i) {
    return RowKind.outcome(kind[i]);
  }

  @Override
  public Kind kind(int i) {
    return RowKind.kind(kind[i]);
  }

  public boolean isOpen(int i) {
    return end[i] == Nanos.OPEN;
  }

  /** Whether its end was not reported; a lost one has ended all the same. */
  public boolean isUnended(int i) {
    return outcome(i).isOpen();
  }

  /** Whether nothing was heard of it but a child: it is open, and that is all there is to say. */
  public boolean isInferred(int i) {
    return table.hasParents() && table.isInferred(anyRow(i));
  }

  /** Whether it is work that can take time: no container, and not only inferred. */
  @Override
  public boolean isWork(int i) {
    return !kind(i).isContainer() && !isInferred(i);
  }

  /** Whether its wall time and what a monotonic clock measured differ by more than 0.1 s. */
  public boolean clockDisagrees(int i) {
    return clockDisagrees[i];
  }

  @Override
  public long spanId(int i) {
    return table.spanId(anyRow(i));
  }

  @Override
  public long parentId(int i) {
    return table.parentId(anyRow(i));
  }

  @Override
  public boolean hasParents() {
    return table.hasParents(session);
  }

  @Override
  public boolean isNestedByTime() {
    return !hasParents() || table.inferredGroup(session) >= 0;
  }

  @Override
  public String rawName(int i) {
    return table.nameOf(name[i]).raw();
  }

  /** Row that began it, or -1 when only its end was recorded. */
  public int startRow(int i) {
    return startRow[i];
  }

  /** Row that ended it, or -1. */
  public int endRow(int i) {
    return endRow[i];
  }

  private int anyRow(int i) {
    return startRow[i] == NONE ? endRow[i] : startRow[i];
  }

  /** Error text, or null. */
  public String error(int i) {
    return endRow[i] == NONE ? null : table.noteText(table.note(endRow[i]));
  }

  /** What its end said of where it belongs; where the end is silent, its start. */
  public Coordinates at(int i) {
    Coordinates first = table.coordinatesOf(table.coordinates(anyRow(i)));
    if (endRow[i] == NONE || endRow[i] == startRow[i]) {
      return first;
    }
    Coordinates last = table.coordinatesOf(table.coordinates(endRow[i]));
    return last.or(first);
  }

  /**
   * The open span that the session stands in, or -1: the one that began last, a container only if
   * nothing else is open, and what is inferred only if there is no other (contracts.md 4.14).
   */
  public int newestOpen() {
    int newest = NONE;
    for (int i = 0; i < count; i++) {
      if (outcome(i) == Outcome.OPEN && (newest == NONE || isInner(i, newest))) {
        newest = i;
      }
    }
    return newest;
  }

  private boolean isInner(int a, int b) {
    if (isInferred(a) != isInferred(b)) {
      return isInferred(b);
    }
    if (kind(a).isContainer() != kind(b).isContainer()) {
      return kind(b).isContainer();
    }
    return start[a] != start[b]
        ? start[a] > start[b]
        : Long.compareUnsigned(spanId(a), spanId(b)) < 0;
  }

  // ---- nesting ---------------------------------------------------------------------------------

  /**
   * Spans in the order they are drawn: by start, then depth, then end. How deep each lies is
   * guessed from time: as many spans are around it as began no later and are not over yet.
   */
  public int[] drawOrder(long now) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    IndexSort.sort(
        order,
        count,
        (a, b) -> {
          if (start[a] != start[b]) {
            return start[a] < start[b];
          }
          return end(a, now) != end(b, now) ? end(a, now) > end(b, now) : isAbove(a, b);
        });
    PriorityQueue<Long> ends = new PriorityQueue<>();
    for (int i : order) {
      while (!ends.isEmpty() && ends.peek() <= start[i]) {
        ends.poll();
      }
      depth[i] = ends.size();
      ends.add(end(i, now));
    }
    IndexSort.sort(
        order,
        count,
        (a, b) -> {
          if (start[a] != start[b]) {
            return start[a] < start[b];
          }
          return depth[a] != depth[b] ? depth[a] < depth[b] : end(a, now) < end(b, now);
        });
    return order;
  }

  /** Of two that fill the same time: containers first, then by id, in whatever order they came. */
  private boolean isAbove(int a, int b) {
    boolean container = kind(a).isContainer();
    if (container != kind(b).isContainer()) {
      return container;
    }
    return Long.compareUnsigned(spanId(a), spanId(b)) < 0;
  }

  /** How deep it lies; valid after {@link #drawOrder}. */
  public int depth(int i) {
    return depth[i];
  }
}
