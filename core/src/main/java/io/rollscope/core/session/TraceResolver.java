package io.rollscope.core.session;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the spans of a trace belong, told from the whole trace: children come in before their
 * parents, and the one that names run and session may be the last (contracts.md 2.1 to 2.7). A
 * buffer, used for one trace after another.
 */
public final class TraceResolver {
  /** A parent never seen is believed to be open for this long after the last event of its trace. */
  private static final long INFERRED_FOR_NS = 600_000_000_000L;

  private static final int NONE = -1;
  private static final byte UNKNOWN = 0;
  private static final byte ON_THE_WAY = 1;
  private static final byte NAMED = 2;
  private static final byte OF_PROCESS = 3;
  private static final byte BY_ITSELF = 4;

  private String[] session = new String[16];
  private String[] lane = new String[16];
  private int[] batchOf = new int[16];
  private byte[] state = new byte[16];
  private boolean[] undecided = new boolean[16];
  private int[] way = new int[16];
  private TraceSpans spans;
  private String named;
  private String least;
  private String ofRoot;
  private long rootStart;
  private long rootId;

  /** Begins with the spans of a trace; verdicts may follow, then {@link #run} and the others. */
  public void resolve(TraceSpans trace) {
    spans = trace;
    int count = trace.count();
    if (state.length < count) {
      int size = Math.max(count, state.length * 2);
      session = new String[size];
      lane = new String[size];
      batchOf = new int[size];
      state = new byte[size];
      undecided = new boolean[size];
      way = new int[size];
    }
    Arrays.fill(state, 0, count, UNKNOWN);
    named = null;
    least = null;
    ofRoot = null;
    for (int i = 0; i < count; i++) {
      name(trace.run(i), trace.service(i));
      if (trace.parentId(i) == 0 && trace.service(i) != null && isEarlierRoot(i)) {
        ofRoot = trace.service(i);
        rootStart = trace.start(i);
        rootId = trace.spanId(i);
      }
    }
  }

  private boolean isEarlierRoot(int i) {
    if (ofRoot == null || spans.start(i) != rootStart) {
      return ofRoot == null || spans.start(i) < rootStart;
    }
    return Long.compareUnsigned(spans.spanId(i), rootId) < 0;
  }

  /** A verdict of the trace names a run, or comes from a service; null for what it does not say. */
  public void name(String run, String service) {
    named = least(named, run);
    least = least(least, service);
  }

  private static String least(String a, String b) {
    return a == null || (b != null && b.compareTo(a) < 0) ? b : a;
  }

  /** Run of the spans that name none themselves; null if nobody says anything. */
  public String run() {
    if (named != null) {
      return named;
    }
    return ofRoot != null ? ofRoot : least;
  }

  /** Whether any span or verdict of the trace names a run. */
  public boolean namesRun() {
    return named != null;
  }

  /** The session that a span or its nearest ancestor names; null if none does. */
  public String session(int i) {
    find(i);
    return session[i];
  }

  /** Whether it belongs to no session: its own kind says so, or an op or state around it. */
  public boolean isLane(int i) {
    find(i);
    return session[i] == null && (spans.isAlone(i) || state[i] == OF_PROCESS);
  }

  /** Whether an ancestor not yet seen may say otherwise. */
  public boolean isUndecided(int i) {
    find(i);
    return undecided[i];
  }

  /**
   * The lane of a span that belongs to no session: the one that it names, else that of the work of
   * a process around it, else one of its own, called like its stage (contracts.md 2.17).
   */
  public String lane(int i) {
    find(i);
    return lane[i];
  }

  /** The span, this one or work of a process around it, whose batch is its own; -1 for none. */
  public int batchOf(int i) {
    find(i);
    return batchOf[i];
  }

  private void find(int i) {
    int length = 0;
    int at = i;
    boolean open = false;
    while (at >= 0 && state[at] == UNKNOWN) {
      state[at] = ON_THE_WAY;
      way[length++] = at;
      open = spans.parent(at) == TraceSpans.NOT_SEEN;
      at = spans.session(at) == null ? spans.parent(at) : TraceSpans.NO_PARENT;
    }
    if (at >= 0 && state[at] == ON_THE_WAY) { // Senders may name parents in a circle.
      while (length > 0) {
        state[way[--length]] = UNKNOWN;
      }
      decide(leastOfCircle(at), NONE, false);
      find(i);
      return;
    }
    int above = at;
    open = above >= 0 ? undecided[above] : open;
    while (length > 0) {
      int span = way[--length];
      decide(span, above, open);
      above = span;
      open = undecided[span];
    }
  }

  /** Whichever of them is looked at first, the circle is cut at the same place. */
  private int leastOfCircle(int any) {
    int least = any;
    for (int at = spans.parent(any); at != any; at = spans.parent(at)) {
      least = Long.compareUnsigned(spans.spanId(at), spans.spanId(least)) < 0 ? at : least;
    }
    return least;
  }

  /**
   * @param above its parent, or -1
   * @param open whether an ancestor not yet seen may say otherwise
   */
  private void decide(int span, int above, boolean open) {
    byte around = above < 0 ? BY_ITSELF : state[above];
    String own = spans.session(span);
    undecided[span] = open && own == null;
    batchOf[span] = spans.namesBatch(span) ? span : around == OF_PROCESS ? batchOf[above] : NONE;
    if (own != null) {
      state[span] = NAMED;
      session[span] = own;
      return;
    }
    boolean work = around == BY_ITSELF && spans.isWorkOfProcess(span);
    state[span] = work ? OF_PROCESS : around;
    session[span] = above < 0 ? null : session[above];
    String said = spans.lane(span);
    if (said != null || around != OF_PROCESS) {
      lane[span] = said != null ? said : spans.stage(span);
    } else {
      lane[span] = lane[above];
    }
  }

  /** Is told of a parent that was not seen. */
  public interface Missing {
    /**
     * @param child the earliest of its children that are in a session
     */
    void parent(long spanId, int child);
  }

  /** Tells of the parents that were not seen and that their children's sessions wait for. */
  public void forEachMissing(Missing visitor) {
    Map<Long, Integer> earliest = null;
    for (int i = 0; i < spans.count(); i++) {
      if (spans.parent(i) == TraceSpans.NOT_SEEN && !isLane(i)) {
        earliest = earliest == null ? new LinkedHashMap<>() : earliest;
        earliest.merge(spans.parentId(i), i, this::earlier);
      }
    }
    if (earliest != null) {
      earliest.forEach(visitor::parent);
    }
  }

  private int earlier(int a, int b) {
    if (spans.start(a) != spans.start(b)) {
      return spans.start(a) < spans.start(b) ? a : b;
    }
    return Long.compareUnsigned(spans.spanId(a), spans.spanId(b)) <= 0 ? a : b;
  }

  /** Whether what a trace lacks is missing, no longer believed to go on (contracts.md 3.11). */
  public static boolean isOver(long newestOfTraceNs, long newestOfRunNs) {
    return newestOfRunNs - newestOfTraceNs > INFERRED_FOR_NS;
  }
}
