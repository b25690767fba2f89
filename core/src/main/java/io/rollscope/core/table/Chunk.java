package io.rollscope.core.table;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Rows read by one thread and not yet part of a table. Its numbers for sessions, names, notes and
 * coordinates are those of its {@link Words}; {@link SpanTable#append} translates them. Reused from
 * one piece of input to the next.
 */
public final class Chunk {
  private static final int NONE = -1;

  /** The words of one reading thread. They live as long as the thread reads. */
  public static final class Words {
    public final Dictionary sessions = new Dictionary();
    private final BitSet lanes = new BitSet();
    private final BitSet relative = new BitSet();
    public final Dictionary notes = new Dictionary();
    public final Interner<SpanName> names = new Interner<>();
    public final Interner<Coordinates> coordinates = new Interner<>();
    int[] sessionMap = new int[0];
    int[] noteMap = new int[0];
    int[] nameMap = new int[0];
    int[] coordinatesMap = new int[0];

    /**
     * A track of a process's work that is no session; its rows are kept like a session's.
     *
     * @param relativeClock whether its times count from the process's own zero
     */
    public int lane(String label, boolean relativeClock) {
      int lane = sessions.intern(label);
      lanes.set(lane);
      relative.set(lane, relativeClock);
      return lane;
    }

    boolean isLane(int session) {
      return lanes.get(session);
    }

    boolean isRelative(int session) {
      return relative.get(session);
    }
  }

  public final Words words;
  final List<SessionFacts> facts = new ArrayList<>();
  int rows;
  int[] session = new int[1024];
  byte[] kind = new byte[1024];
  int[] name = new int[1024];
  long[] time = new long[1024];
  long[] extent = new long[1024];
  int[] coordinates = new int[1024];
  int[] note = new int[1024];
  long[] origin = new long[1024];
  long[] spanId;
  long[] parentId;
  int[] inputTokens;
  int[] outputTokens;
  long[] queued;

  public Chunk(Words words) {
    this.words = words;
  }

  public int rows() {
    return rows;
  }

  /** Forgets the rows, keeps the words. */
  public void clear() {
    rows = 0;
    facts.clear();
  }

  /**
   * Says that the rows from {@code firstRow} on are one whole session of which this is known. Used
   * by sources that write a session at once; their rows need no session number of their own.
   */
  public void session(SessionFacts said, int firstRow) {
    facts.add(said);
    Arrays.fill(session, firstRow, rows, -facts.size());
  }

  /** Drops rows added since {@code mark}: the line they came from turned out to be bad. */
  public void rollback(int mark) {
    rows = mark;
  }

  /**
   * Adds a row.
   *
   * @param packedKind see {@link RowKind}
   * @param time start of a span, or when it happened
   * @param extent end of a whole span ({@link Nanos#OPEN} if open); for an END what a monotonic
   *     clock measured, or {@link Nanos#UNKNOWN}
   * @param note number of the error text, or -1
   * @param origin where the source's text is: byte offset of the line
   */
  public void add(
      int session,
      byte packedKind,
      int name,
      long time,
      long extent,
      int coordinates,
      int note,
      long origin) {
    int row = rows;
    if (row == this.session.length) {
      grow();
    }
    this.session[row] = session;
    this.kind[row] = packedKind;
    this.name[row] = name;
    this.time[row] = time;
    this.extent[row] = extent;
    this.coordinates[row] = coordinates;
    this.note[row] = note;
    this.origin[row] = origin;
    if (inputTokens != null) {
      inputTokens[row] = NONE;
      outputTokens[row] = NONE;
    }
    if (queued != null) {
      queued[row] = Nanos.UNKNOWN;
    }
    rows = row + 1;
  }

  /** Gives the row added last its ids; sources without ids never call this. */
  public void identify(long id, long parent) {
    if (spanId == null) {
      spanId = new long[session.length];
      parentId = new long[session.length];
    }
    spanId[rows - 1] = id;
    parentId[rows - 1] = parent;
  }

  /** Says what the row added last read and wrote; -1 for what it does not say. */
  public void tokens(long input, long output) {
    if (inputTokens == null) {
      inputTokens = new int[session.length];
      outputTokens = new int[session.length];
      Arrays.fill(inputTokens, NONE);
      Arrays.fill(outputTokens, NONE);
    }
    inputTokens[rows - 1] = count(input);
    outputTokens[rows - 1] = count(output);
  }

  /**
   * Says how long the row added last waited in the queue of its engine; {@link Nanos#UNKNOWN} takes
   * no memory.
   */
  public void queued(long ns) {
    if (ns == Nanos.UNKNOWN) {
      return;
    }
    if (queued == null) {
      queued = new long[session.length];
      Arrays.fill(queued, Nanos.UNKNOWN);
    }
    queued[rows - 1] = ns;
  }

  /** A number of tokens as tables keep it. */
  static int count(long tokens) {
    return (int) Math.min(Integer.MAX_VALUE, tokens);
  }

  private void grow() {
    int size = rows * 2;
    session = Arrays.copyOf(session, size);
    kind = Arrays.copyOf(kind, size);
    name = Arrays.copyOf(name, size);
    time = Arrays.copyOf(time, size);
    extent = Arrays.copyOf(extent, size);
    coordinates = Arrays.copyOf(coordinates, size);
    note = Arrays.copyOf(note, size);
    origin = Arrays.copyOf(origin, size);
    if (spanId != null) {
      spanId = Arrays.copyOf(spanId, size);
      parentId = Arrays.copyOf(parentId, size);
    }
    if (inputTokens != null) {
      inputTokens = Arrays.copyOf(inputTokens, size);
      outputTokens = Arrays.copyOf(outputTokens, size);
    }
    if (queued != null) {
      queued = Arrays.copyOf(queued, size);
    }
  }
}
