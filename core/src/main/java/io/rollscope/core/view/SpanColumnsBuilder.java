package io.rollscope.core.view;

import io.rollscope.core.model.Kind;
import io.rollscope.core.table.SpanName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills {@link SpanColumns}, lane by lane. */
public final class SpanColumnsBuilder {

  private static final class Words<T> {
    private final Map<T, Integer> places = new LinkedHashMap<>();

    int place(T word) {
      if (word == null) {
        return -1;
      }
      Integer known = places.putIfAbsent(word, places.size());
      return known == null ? places.size() - 1 : known;
    }

    List<T> list() {
      return new ArrayList<>(places.keySet());
    }
  }

  private static final class Ints {
    private int[] values = new int[1024];
    private int count;

    void add(int value) {
      if (count == values.length) {
        values = Arrays.copyOf(values, count * 2);
      }
      values[count++] = value;
    }

    int[] trimmed() {
      return Arrays.copyOf(values, count);
    }
  }

  private static final class Longs {
    private long[] values = new long[1024];
    private int count;

    void add(long value) {
      if (count == values.length) {
        values = Arrays.copyOf(values, count * 2);
      }
      values[count++] = value;
    }

    long[] trimmed() {
      return Arrays.copyOf(values, count);
    }
  }

  private final Words<SpanName> names = new Words<>();

  private record KindWord(String word, boolean work) {}

  private final Words<KindWord> kinds = new Words<>();
  private final Words<String> outcomes = new Words<>();
  private final Words<String> workers = new Words<>();
  private final Words<String> errors = new Words<>();
  private final List<String> tracks = new ArrayList<>();
  private final Map<Nesting.Branch, Integer> paths = new LinkedHashMap<>();
  private final Ints laneSession = new Ints();
  private final Ints laneSpans = new Ints();
  private final Ints lanePieces = new Ints();
  private final Longs laneFrom = new Longs();
  private final Longs laneLength = new Longs();
  private final Words<Object> groups = new Words<>();
  private final Ints laneGroup = new Ints();
  private final Ints measured = new Ints();
  private final Ints relative = new Ints();
  private final Ints name = new Ints();
  private final Ints kind = new Ints();
  private final Ints outcome = new Ints();
  private final Ints worker = new Ints();
  private final Ints parent = new Ints();
  private final Ints depth = new Ints();
  private final Ints path = new Ints();
  private final Ints critical = new Ints();
  private final Longs start = new Longs();
  private final Longs duration = new Longs();
  private final Ints open = new Ints();
  private final Ints errorAt = new Ints();
  private final Ints error = new Ints();
  private final Ints clockDisagrees = new Ints();
  private final Ints pieceLeaf = new Ints();
  private final Ints pieceEnd = new Ints();
  private final Longs pieceNs = new Longs();
  private int leafBefore;
  private final Map<Long, Integer> starts = new HashMap<>();
  private final Map<Long, Integer> ends = new HashMap<>();
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /**
   * Begins the lane of a session.
   *
   * @param group what its group is, or null
   * @param counts whether it counts in the distributions of how long sessions took
   * @param noEpoch whether its clock has no known beginning
   */
  public void beginSession(
      int place, Object group, boolean counts, boolean noEpoch, long from, long to) {
    laneSession.add(place);
    laneGroup.add(groups.place(group));
    measured.add(counts ? 1 : 0);
    relative.add(noEpoch ? 1 : 0);
    begin(from, to);
  }

  /** Begins a lane of a process. */
  public void beginTrack(String track, long from, long to) {
    tracks.add(track);
    begin(from, to);
  }

  private void begin(long from, long to) {
    laneSpans.add(0);
    lanePieces.add(0);
    laneFrom.add(from);
    laneLength.add(to - from);
    first = Math.min(first, from);
    leafBefore = 0;
    starts.clear();
    ends.clear();
  }

  /**
   * A span of a lane.
   *
   * @param above place in its lane of the span it lies in, or -1
   * @param length how long it took; of an open one so far
   * @param branch where it lies in the tree of stages, or null
   * @param critical whether it, or one in it, was what its session was doing
   */
  public record Span(
      SpanName name,
      Kind kind,
      boolean work,
      String outcome,
      String worker,
      String error,
      int above,
      int depth,
      long start,
      long length,
      boolean open,
      boolean clockDisagrees,
      Nesting.Branch branch,
      boolean critical) {}

  /** Adds a span of the lane begun last, later than or at the start of the one before. */
  public void add(Span span) {
    int n = name.count;
    laneSpans.values[laneSpans.count - 1]++;
    name.add(names.place(span.name()));
    kind.add(kinds.place(new KindWord(span.kind().word(), span.work())));
    outcome.add(outcomes.place(span.outcome()));
    worker.add(workers.place(span.worker()));
    parent.add(span.above());
    depth.add(span.depth());
    start.add(span.start());
    duration.add(span.length());
    path.add(span.branch() == null ? -1 : placeOf(span.branch()));
    critical.add(span.critical() ? 1 : 0);
    first = Math.min(first, span.start());
    last = Math.max(last, span.start() + span.length());
    starts.put(span.start(), laneSpans.values[laneSpans.count - 1] - 1);
    ends.put(span.start() + span.length(), laneSpans.values[laneSpans.count - 1] - 1);
    if (span.open()) {
      open.add(n);
    }
    if (span.clockDisagrees()) {
      clockDisagrees.add(n);
    }
    int why = errors.place(span.error());
    if (why >= 0) {
      errorAt.add(n);
      error.add(why);
    }
  }

  private int placeOf(Nesting.Branch branch) {
    if (branch.around() == null) {
      return -1;
    }
    Integer known = paths.get(branch);
    if (known == null) {
      placeOf(branch.around());
      known = paths.size();
      paths.put(branch, known);
    }
    return known;
  }

  /**
   * Adds a piece of the lane begun last, after all its spans.
   *
   * @param leaf place in its lane of the span whose time it is, or a wait
   */
  public void addPiece(int leaf, long to) {
    int lane = lanePieces.count - 1;
    lanePieces.values[lane]++;
    pieceLeaf.add(leaf < 0 ? 2 * leaf + 1 : 2 * (leaf - leafBefore));
    leafBefore = leaf < 0 ? leafBefore : leaf;
    if (to == laneFrom.values[lane] + laneLength.values[lane]) {
      pieceEnd.add(0);
      return;
    }
    int own = start.count - laneSpans.values[lane] + leafBefore;
    boolean withItself = leaf >= 0 && start.values[own] + duration.values[own] == to;
    Integer next = withItself ? null : starts.get(to);
    Integer ended = withItself ? Integer.valueOf(leaf) : ends.get(to);
    int distance =
        next != null ? 2 * (next - leafBefore) : ended != null ? 2 * (ended - leafBefore) + 1 : 0;
    pieceEnd.add(distance);
    if (distance == 0) {
      pieceNs.add(to - laneFrom.values[lane]);
    }
  }

  public SpanColumns build() {
    boolean empty = laneSpans.count == 0;
    return new SpanColumns(
        empty ? 0 : first,
        empty ? 0 : Math.max(first, last),
        names.list().stream().map(SpanName::raw).toList(),
        names.list().stream().map(SpanName::stage).toList(),
        kinds.list().stream().map(KindWord::word).toList(),
        kinds.list().stream().map(KindWord::work).toList(),
        outcomes.list(),
        workers.list(),
        errors.list(),
        tracks,
        paths.keySet().stream().map(Nesting.Branch::stage).toList(),
        paths.keySet().stream().map(branch -> placeOf(branch.around())).toList(),
        laneSession.trimmed(),
        laneSpans.trimmed(),
        lanePieces.trimmed(),
        laneStarts(),
        laneLength.trimmed(),
        laneGroup.trimmed(),
        measured.trimmed(),
        relative.trimmed(),
        name.trimmed(),
        kind.trimmed(),
        outcome.trimmed(),
        worker.trimmed(),
        parent.trimmed(),
        depth.trimmed(),
        path.trimmed(),
        critical.trimmed(),
        starts(),
        duration.trimmed(),
        open.trimmed(),
        errorAt.trimmed(),
        error.trimmed(),
        clockDisagrees.trimmed(),
        pieceLeaf.trimmed(),
        pieceEnd.trimmed(),
        pieceNs.trimmed());
  }

  private long[] laneStarts() {
    return Arrays.stream(laneFrom.trimmed()).map(from -> from - first).toArray();
  }

  /** Small numbers compress better: each start after the one before in its lane. */
  private long[] starts() {
    long[] after = new long[start.count];
    int n = 0;
    for (int lane = 0; lane < laneSpans.count; lane++) {
      long before = laneFrom.values[lane];
      for (int k = 0; k < laneSpans.values[lane]; k++, n++) {
        after[n] = start.values[n] - before;
        before = start.values[n];
      }
    }
    return after;
  }
}
