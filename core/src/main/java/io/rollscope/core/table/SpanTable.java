package io.rollscope.core.table;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All rows of one run in load order, chained by session. Append-only; one thread writes.
 *
 * <p>A row costs 45 bytes (61 with span ids), a session about 30 plus its key.
 */
public final class SpanTable {
  private static final int NONE = -1;
  private static final int FILE_SHIFT = 44;

  /** Stands between a task's space and its id; neither holds it. */
  private static final char TASK_SPACE = '\0';

  private final IntColumn session = new IntColumn(NONE);
  private final IntColumn previous = new IntColumn(NONE);
  private final ByteColumn kind = new ByteColumn((byte) 0);
  private final IntColumn name = new IntColumn(NONE);
  private final LongColumn time = new LongColumn(0);
  private final LongColumn extent = new LongColumn(0);
  private final IntColumn coordinates = new IntColumn(0);
  private final IntColumn note = new IntColumn(NONE);
  private final LongColumn origin = new LongColumn(0);
  private final LongColumn spanId = new LongColumn(0);
  private final LongColumn parentId = new LongColumn(0);
  private final IntColumn inputTokens = new IntColumn(NONE);
  private final IntColumn outputTokens = new IntColumn(NONE);
  private final LongColumn queued = new LongColumn(Nanos.UNKNOWN);
  private int rows;
  private boolean parents;

  private final Dictionary keys = new Dictionary();
  private final Dictionary notes = new Dictionary();
  private final Dictionary tasks = new Dictionary();
  private final Interner<SpanName> names = new Interner<>();
  private final Interner<Coordinates> places = new Interner<>();
  private final Map<Integer, Integer> repeatedKeys = new HashMap<>();
  private final Map<String, ProcessSign> processes = new LinkedHashMap<>();
  private long newestSign = Nanos.UNKNOWN;
  private int newestSession = NONE;
  private long newestSessionNs;
  private boolean newestRemoved;
  private Coordinates lastSaid;
  private int lastPlace;

  private final IntColumn newest = new IntColumn(NONE);
  private final IntColumn count = new IntColumn(0);
  private final ByteColumn flags = new ByteColumn((byte) 0);
  private final ByteColumn verdict = new ByteColumn((byte) NONE);
  private final LongColumn submitted = new LongColumn(Nanos.UNKNOWN);
  private final LongColumn finalised = new LongColumn(Nanos.UNKNOWN);
  private final IntColumn task = new IntColumn(NONE);
  private final IntColumn reason = new IntColumn(NONE);
  private final IntColumn at = new IntColumn(NONE);
  private final IntColumn trace = new IntColumn(NONE);
  private final IntColumn inferredGroup = new IntColumn(NONE);
  private final LongColumn inferredAt = new LongColumn(Nanos.UNKNOWN);

  private final RewardAndTokensColumn rewardAndTokens = new RewardAndTokensColumn();

  /** Per coordinates: the newest time seen and the first row that had it. */
  private long[] seenLast = new long[16];

  private int[] seenLastRow = new int[16];

  /** Coordinates whose newest row or session went elsewhere. */
  private final BitSet unseen = new BitSet();

  /** Newest instant on each clock: wall, relative sessions, relative lanes. */
  private final long[] newestInstant = {Nanos.UNKNOWN, Nanos.UNKNOWN, Nanos.UNKNOWN};

  private static final int LANE = 1;
  private static final int RELATIVE = 2;
  private static final int NESTED_BY_TIME = 4;

  /** All its rows turned out to belong elsewhere. */
  private static final int GONE = 8;

  private int removedRows;

  /** Name of parents of which only children were heard of, and how many rows show one. */
  private int inferredName = NONE;

  private int inferredRows;

  /** Sessions that changed otherwise than by new rows, in the order of the changes. */
  private final IntColumn changed = new IntColumn(NONE);

  private int changes;

  // ---- appending -------------------------------------------------------------------------------

  /** Takes over the rows of a chunk; they come after all rows already here. */
  public void append(Chunk chunk, int file) {
    translate(chunk.words);
    int[] fresh = new int[chunk.facts.size()];
    for (int i = 0; i < fresh.length; i++) {
      fresh[i] = newSession(chunk.facts.get(i));
    }
    long base = origin(file, 0);
    Chunk.Words words = chunk.words;
    for (int i = 0; i < chunk.rows; i++) {
      int row = rows + i;
      int local = chunk.session[i];
      int s = local < 0 ? fresh[-local - 1] : words.sessionMap[local];
      int place = words.coordinatesMap[chunk.coordinates[i]];
      session.set(row, s);
      previous.set(row, newest.get(s));
      newest.set(s, row);
      count.set(s, count.get(s) + 1);
      name.set(row, words.nameMap[chunk.name[i]]);
      inferredRows += isInferred(row) ? 1 : 0;
      coordinates.set(row, place);
      if (chunk.note[i] >= 0) {
        note.set(row, words.noteMap[chunk.note[i]]);
      }
      origin.set(row, base | chunk.origin[i]);
      long instant = lastInstant(chunk, i);
      if (!isLane(s)) {
        see(place, instant, row);
        seeSession(s, instant);
      }
      int clock = clock(s);
      newestInstant[clock] = Math.max(newestInstant[clock], instant);
    }
    kind.setAll(rows, chunk.kind, chunk.rows);
    time.setAll(rows, chunk.time, chunk.rows);
    extent.setAll(rows, chunk.extent, chunk.rows);
    if (chunk.spanId != null) {
      parents = true;
      spanId.setAll(rows, chunk.spanId, chunk.rows);
      parentId.setAll(rows, chunk.parentId, chunk.rows);
    }
    if (chunk.inputTokens != null) {
      inputTokens.setAll(rows, chunk.inputTokens, chunk.rows);
      outputTokens.setAll(rows, chunk.outputTokens, chunk.rows);
    }
    if (chunk.queued != null) {
      queued.setAll(rows, chunk.queued, chunk.rows);
    }
    rows += chunk.rows;
  }

  // ---- rows that may still change --------------------------------------------------------------

  /** The session with this id, begun now if it is new. */
  public int sessionNumber(String key) {
    int s = keys.intern(key);
    return (flags.get(s) & LANE) == 0 ? s : keys.intern(key + "#2");
  }

  /** The lane with this label, begun now if it is new. */
  public int laneNumber(String label) {
    int before = keys.size();
    int s = keys.intern(label);
    if (s < before && (flags.get(s) & LANE) == 0) {
      s = keys.intern(label + "#lane");
    }
    flags.set(s, (byte) (flags.get(s) | LANE));
    return s;
  }

  public int nameNumber(SpanName text) {
    int number = names.intern(text);
    inferredName = text.equals(SpanName.NOT_YET_SEEN) ? number : inferredName;
    return number;
  }

  public int placeNumber(Coordinates where) {
    return places.intern(where);
  }

  public int noteNumber(String text) {
    return notes.intern(text);
  }

  /** Adds a whole span, or one that has not ended; numbers are those of this table. */
  public int add(
      int s,
      byte packedKind,
      int nameId,
      long start,
      long end,
      int place,
      int noteId,
      long from,
      long id,
      long parent) {
    int row = rows++;
    parents = true;
    inferredRows += nameId == inferredName ? 1 : 0;
    session.set(row, s);
    previous.set(row, newest.get(s));
    newest.set(s, row);
    count.set(s, count.get(s) + 1);
    flags.set(s, (byte) (flags.get(s) & ~GONE));
    kind.set(row, packedKind);
    name.set(row, nameId);
    time.set(row, start);
    extent.set(row, end);
    coordinates.set(row, place);
    if (noteId >= 0) {
      note.set(row, noteId);
    }
    origin.set(row, from);
    spanId.set(row, id);
    parentId.set(row, parent);
    long instant = instant(row);
    if (!isLane(s)) {
      seeSession(s, instant);
    }
    newestInstant[clock(s)] = Math.max(newestInstant[clock(s)], instant);
    return row;
  }

  /**
   * Says what a call read and wrote, as far as it says so itself (contracts.md 3.16); -1 for what
   * it does not say, which takes no memory.
   */
  public void tokens(int row, long input, long output) {
    if (input >= 0) {
      inputTokens.set(row, Chunk.count(input));
    }
    if (output >= 0) {
      outputTokens.set(row, Chunk.count(output));
    }
  }

  /**
   * Says how long a call waited in the queue of its engine, as far as it says so itself; {@link
   * Nanos#UNKNOWN} takes no memory.
   */
  public void queued(int row, long ns) {
    if (ns != Nanos.UNKNOWN) {
      queued.set(row, ns);
    }
  }

  /** Puts a row that was added into the batch of its session, which others may have told. */
  public void place(int row, int place) {
    int before = coordinates.get(row);
    if (before != place) {
      unsee(before, instant(row));
      coordinates.set(row, place);
    }
    if (!isLane(session.get(row))) {
      see(place, instant(row), row);
    }
  }

  /** Takes a row out of its session: it is told anew, or belongs elsewhere. */
  public void remove(int row) {
    int s = session.get(row);
    if (newest.get(s) == row) {
      newest.set(s, previous.get(row));
    } else {
      int after = newest.get(s);
      while (previous.get(after) != row) {
        after = previous.get(after);
      }
      previous.set(after, previous.get(row));
    }
    session.set(row, NONE);
    unsee(coordinates.get(row), instant(row));
    count.set(s, count.get(s) - 1);
    removedRows++;
    inferredRows -= isInferred(row) ? 1 : 0;
    if (count.get(s) == 0) {
      flags.set(s, (byte) (flags.get(s) | GONE));
    }
    changed.set(changes++, s);
    newestRemoved |= s == newestSession;
  }

  /** What is known of a session as a whole is another thing now. */
  public void describe(int s, SessionFacts said) {
    fill(s, said);
    changed.set(changes++, s);
  }

  /** How often a session changed otherwise than by new rows. */
  public int changes() {
    return changes;
  }

  /** The session of a change. */
  public int changedSession(int change) {
    return changed.get(change);
  }

  /** Where a line is, as a row keeps it. */
  public static long origin(int file, long offset) {
    return (long) file << FILE_SHIFT | offset;
  }

  private static long lastInstant(Chunk chunk, int i) {
    boolean closed = RowKind.form(chunk.kind[i]) == RowKind.SPAN && chunk.extent[i] != Nanos.OPEN;
    return closed ? Math.max(chunk.time[i], chunk.extent[i]) : chunk.time[i];
  }

  /** Numbers are given in the order first seen, so that cutting input elsewhere changes none. */
  private void translate(Chunk.Words words) {
    int known = words.sessionMap.length;
    words.sessionMap = Arrays.copyOf(words.sessionMap, words.sessions.size());
    for (int i = known; i < words.sessionMap.length; i++) {
      words.sessionMap[i] = keys.internFrom(words.sessions, i);
      if (words.isLane(i)) {
        flags.set(words.sessionMap[i], (byte) (LANE | (words.isRelative(i) ? RELATIVE : 0)));
      }
    }
    known = words.noteMap.length;
    words.noteMap = Arrays.copyOf(words.noteMap, words.notes.size());
    for (int i = known; i < words.noteMap.length; i++) {
      words.noteMap[i] = notes.internFrom(words.notes, i);
    }
    known = words.nameMap.length;
    words.nameMap = Arrays.copyOf(words.nameMap, words.names.size());
    for (int i = known; i < words.nameMap.length; i++) {
      words.nameMap[i] = nameNumber(words.names.get(i));
    }
    known = words.coordinatesMap.length;
    words.coordinatesMap = Arrays.copyOf(words.coordinatesMap, words.coordinates.size());
    for (int i = known; i < words.coordinatesMap.length; i++) {
      words.coordinatesMap[i] = places.intern(words.coordinates.get(i));
    }
  }

  private int newSession(SessionFacts said) {
    int before = keys.size();
    int s = keys.intern(said.key());
    while (s < before) {
      int repeat = repeatedKeys.merge(keys.intern(said.key()), 2, (a, b) -> a + 1);
      s = keys.intern(said.key() + "#" + repeat);
    }
    flags.set(s, (byte) (said.relativeClock() ? RELATIVE : 0));
    fill(s, said);
    return s;
  }

  private void fill(int s, SessionFacts said) {
    if (said.task() == null) {
      task.set(s, NONE);
    } else {
      String space = said.taskSpace() == null ? "" : said.taskSpace();
      task.set(s, tasks.intern(space + TASK_SPACE + said.task()));
    }
    reason.set(s, said.reason() == null ? NONE : notes.intern(said.reason()));
    if (said.traceId() != null) {
      trace.set(s, notes.intern(said.traceId()));
    }
    int place = placeOf(said.at());
    if (at.get(s) >= 0 && at.get(s) != place) {
      unsee(at.get(s), decidedNs(s));
    }
    rewardAndTokens.set(s, said.rewardAndTokens());
    verdict.set(s, (byte) (said.verdict() == null ? NONE : said.verdict().ordinal()));
    submitted.set(s, said.submittedNs());
    finalised.set(s, said.finalisedNs());
    at.set(s, place);
    long end = decidedNs(s);
    if (end != Nanos.UNKNOWN) {
      see(place, end, rows);
      seeSession(s, end);
      newestInstant[clock(s)] = Math.max(newestInstant[clock(s)], end);
    }
  }

  /** Sessions of one file mostly share the very same object; equal ones only cost a look-up. */
  @SuppressWarnings("ReferenceEquality")
  private int placeOf(Coordinates said) {
    if (said != lastSaid) {
      lastSaid = said;
      lastPlace = places.intern(said);
    }
    return lastPlace;
  }

  private int clock(int s) {
    int f = flags.get(s);
    return (f & RELATIVE) == 0 ? 0 : (f & LANE) == 0 ? 1 : 2;
  }

  private void see(int place, long instant, int row) {
    if (place >= seenLast.length) {
      int size = Math.max(place + 1, seenLast.length * 2);
      seenLast = Arrays.copyOf(seenLast, size);
      seenLastRow = Arrays.copyOf(seenLastRow, size);
    }
    // A zero row means "never seen": rows are kept one-based here.
    if (seenLastRow[place] == 0 || instant > seenLast[place]) {
      seenLast[place] = instant;
      seenLastRow[place] = row + 1;
    }
  }

  /** What was there at that time is no longer; it may have been the last. */
  private void unsee(int place, long instant) {
    if (seen(place) && seenLast[place] == instant) {
      unseen.set(place);
    }
  }

  private void seeAgain() {
    for (int place = unseen.nextSetBit(0); place >= 0; place = unseen.nextSetBit(place + 1)) {
      seenLastRow[place] = 0;
    }
    for (int row = 0; row < rows; row++) {
      int s = session.get(row);
      if (s >= 0 && !isLane(s) && unseen.get(coordinates.get(row))) {
        see(coordinates.get(row), instant(row), row);
      }
    }
    for (int s = 0; s < keys.size(); s++) {
      if (at.get(s) >= 0 && unseen.get(at.get(s)) && !isLane(s) && decidedNs(s) != Nanos.UNKNOWN) {
        see(at.get(s), decidedNs(s), rows);
      }
    }
    unseen.clear();
  }

  /** When what is known of a session as a whole was last known. */
  private long decidedNs(int s) {
    return finalised.get(s) == Nanos.UNKNOWN ? submitted.get(s) : finalised.get(s);
  }

  private long instant(int row) {
    boolean closed = RowKind.form(kind(row)) == RowKind.SPAN && extent(row) != Nanos.OPEN;
    return closed ? Math.max(time(row), extent(row)) : time(row);
  }

  /** A session's task is not said, but at that time it was begun together with others. */
  public void inferGroup(int s, String group, long timeNs) {
    if (timeNs >= inferredAt.get(s)) {
      inferredAt.set(s, timeNs);
      inferredGroup.set(s, notes.intern(group));
    }
  }

  /** The parents of this session's spans are not recorded, or were told from time. */
  public void nestByTime(int s) {
    flags.set(s, (byte) (flags.get(s) | NESTED_BY_TIME));
  }

  /** A process of the run said something of itself; what it said before no longer counts. */
  public void heard(ProcessSign process) {
    processes.merge(
        process.instance(), process, (old, now) -> now.timeNs() >= old.timeNs() ? now : old);
    newestSign = Math.max(newestSign, process.timeNs());
  }

  /** When something was last heard of the run: an event on the wall clock, or a process. */
  public long newestEvent() {
    return Math.max(newestInstant(), newestSign);
  }

  /** When a process last said something of itself, or {@link Nanos#UNKNOWN}. */
  public long newestSign() {
    return newestSign;
  }

  /** What each process of the run said last; of most sources none. */
  public Collection<ProcessSign> processes() {
    return processes.values();
  }

  // ---- rows ------------------------------------------------------------------------------------

  public int rows() {
    return rows;
  }

  /** How many rows say something: not those taken out of their session, nor what is inferred. */
  public int events() {
    return rows - removedRows - inferredRows;
  }

  /** Whether a row shows a parent of which only children were heard of. */
  public boolean isInferred(int row) {
    return inferredName >= 0 && name.get(row) == inferredName;
  }

  /** The session of a row; -1 for one that was taken out of it. */
  public int session(int row) {
    return session.get(row);
  }

  /** The row of the same session that was loaded before this one, or -1. */
  public int previous(int row) {
    return previous.get(row);
  }

  public byte kind(int row) {
    return kind.get(row);
  }

  public int name(int row) {
    return name.get(row);
  }

  public long time(int row) {
    return time.get(row);
  }

  public long extent(int row) {
    return extent.get(row);
  }

  public int coordinates(int row) {
    return coordinates.get(row);
  }

  /** Number of the error text, or -1. */
  public int note(int row) {
    return note.get(row);
  }

  public int file(int row) {
    return fileOf(origin.get(row));
  }

  /** Byte offset, in its file, of the line this row came from. */
  public long offset(int row) {
    return offsetOf(origin.get(row));
  }

  /** The file of a place that {@link #origin} made. */
  public static int fileOf(long place) {
    return (int) (place >>> FILE_SHIFT);
  }

  public static long offsetOf(long place) {
    return place & ((1L << FILE_SHIFT) - 1);
  }

  public long spanId(int row) {
    return spanId.get(row);
  }

  public long parentId(int row) {
    return parentId.get(row);
  }

  /** Tokens the call read; -1 if it does not say. More than 2^31 - 1 are that many. */
  public long inputTokens(int row) {
    return inputTokens.get(row);
  }

  /** Tokens the call wrote; likewise. */
  public long outputTokens(int row) {
    return outputTokens.get(row);
  }

  /** How long a call waited in the queue of its engine; {@link Nanos#UNKNOWN} if not said. */
  public long queuedNs(int row) {
    return queued.get(row);
  }

  /** Whether the source of this session records which span caused which. */
  public boolean hasParents(int s) {
    return parents && (flags.get(s) & NESTED_BY_TIME) == 0;
  }

  /** Whether any source records which span caused which. */
  public boolean hasParents() {
    return parents;
  }

  // ---- words -----------------------------------------------------------------------------------

  public int nameCount() {
    return names.size();
  }

  public SpanName nameOf(int id) {
    return names.get(id);
  }

  public int coordinatesCount() {
    return places.size();
  }

  public Coordinates coordinatesOf(int id) {
    return places.get(id);
  }

  /** Newest instant of any session's event with these coordinates; a lane's do not count. */
  public long lastSeen(int coordinatesId) {
    return isSeen(coordinatesId) ? seenLast[coordinatesId] : Nanos.UNKNOWN;
  }

  /** First row, in load order, that has that newest instant. */
  public int lastSeenRow(int coordinatesId) {
    return isSeen(coordinatesId) ? seenLastRow[coordinatesId] - 1 : Integer.MAX_VALUE;
  }

  private boolean isSeen(int place) {
    if (!unseen.isEmpty()) {
      seeAgain();
    }
    return seen(place);
  }

  private boolean seen(int place) {
    return place < seenLastRow.length && seenLastRow[place] > 0;
  }

  public String noteText(int id) {
    return id < 0 ? null : notes.text(id);
  }

  // ---- sessions --------------------------------------------------------------------------------

  /** How many sessions and lanes there are; their numbers run from 0. */
  public int sessionCount() {
    return keys.size();
  }

  public String key(int s) {
    return keys.text(s);
  }

  /** The number of the session with this id, or -1. */
  public int findSession(String key) {
    return keys.find(key);
  }

  /** The row of this session loaded last, or -1. */
  public int newestRow(int s) {
    return newest.get(s);
  }

  public int rowCount(int s) {
    return count.get(s);
  }

  /** Whether it is no session but a track of a process's work, or has no rows any more. */
  public boolean isLane(int s) {
    return (flags.get(s) & (LANE | GONE)) != 0;
  }

  public boolean hasRelativeClock(int s) {
    return (flags.get(s) & RELATIVE) != 0;
  }

  /** Newest instant of anything on the clock of this session. */
  public long newestInstant(int s) {
    return newestInstant[clock(s)];
  }

  /** The session, no lane, whose event is newest of all; -1 if there is none. */
  public int newestSession() {
    if (newestRemoved) {
      newestRemoved = false;
      newestSession = NONE;
      for (int row = 0; row < rows; row++) {
        int s = session.get(row);
        if (s >= 0 && !isLane(s)) {
          seeSession(s, instant(row));
          seeSession(s, Math.max(submitted(s), finalised(s)));
        }
      }
    }
    return newestSession;
  }

  private void seeSession(int s, long instant) {
    boolean first = newestSession < 0 || instant > newestSessionNs;
    if (first || (instant == newestSessionNs && key(s).compareTo(key(newestSession)) < 0)) {
      newestSession = s;
      newestSessionNs = instant;
    }
  }

  /** Newest instant on the wall clock, or {@link Nanos#UNKNOWN}. */
  public long newestInstant() {
    return newestInstant[0];
  }

  /** Newest instant on clocks that count from a zero of their own, or {@link Nanos#UNKNOWN}. */
  public long newestOnOwnClocks() {
    return Math.max(newestInstant[1], newestInstant[2]);
  }

  /** What the source decided, or null. */
  public Status verdict(int s) {
    int v = verdict.get(s);
    return v < 0 ? null : Status.values()[v];
  }

  public long submitted(int s) {
    return submitted.get(s);
  }

  public long finalised(int s) {
    return finalised.get(s);
  }

  public String task(int s) {
    int id = task.get(s);
    return id < 0 ? null : afterSpace(tasks.text(id));
  }

  /** What tells the task of a session from all others of the run, or null. */
  public String taskKey(int s) {
    int id = task.get(s);
    return id < 0 ? null : tasks.text(id);
  }

  private static String afterSpace(String text) {
    return text.substring(text.indexOf(TASK_SPACE) + 1);
  }

  /** Number of the task, or -1; sessions with the same number are samples of one task. */
  public int taskId(int s) {
    return task.get(s);
  }

  /** Number of the group it was begun with last, or -1; {@link #noteText} has its id. */
  public int inferredGroup(int s) {
    return inferredGroup.get(s);
  }

  public String reason(int s) {
    return noteText(reason.get(s));
  }

  /** What it earned and used. */
  public RewardAndTokens rewardAndTokens(int s) {
    return rewardAndTokens.get(s);
  }

  public String traceId(int s) {
    int id = trace.get(s);
    return id < 0 ? key(s) : notes.text(id);
  }

  /** Coordinates of the session as a whole, or -1 when only its rows have some. */
  public int sessionCoordinates(int s) {
    return at.get(s);
  }

  /** Memory held by columns and dictionaries. */
  public long bytes() {
    long columns = 0;
    for (IntColumn c :
        new IntColumn[] {
          session,
          previous,
          name,
          coordinates,
          note,
          newest,
          count,
          task,
          reason,
          at,
          trace,
          inferredGroup,
          inputTokens,
          outputTokens
        }) {
      columns += c.bytes();
    }
    for (LongColumn c :
        new LongColumn[] {
          time, extent, origin, spanId, parentId, submitted, finalised, inferredAt, queued
        }) {
      columns += c.bytes();
    }
    return columns
        + rewardAndTokens.bytes()
        + kind.bytes()
        + flags.bytes()
        + verdict.bytes()
        + keys.bytes()
        + notes.bytes()
        + tasks.bytes();
  }
}
