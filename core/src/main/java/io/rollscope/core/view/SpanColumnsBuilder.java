package io.rollscope.core.view;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills {@link SpanColumns}, lane by lane. */
final class SpanColumnsBuilder {

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
  private final Words<String> kinds = new Words<>();
  private final Words<String> outcomes = new Words<>();
  private final Words<String> workers = new Words<>();
  private final Words<String> errors = new Words<>();
  private final List<String> tracks = new ArrayList<>();
  private final Ints laneSession = new Ints();
  private final Ints laneSpans = new Ints();
  private final Ints name = new Ints();
  private final Ints kind = new Ints();
  private final Ints outcome = new Ints();
  private final Ints worker = new Ints();
  private final Ints parent = new Ints();
  private final Ints depth = new Ints();
  private final Longs start = new Longs();
  private final Longs duration = new Longs();
  private final Longs self = new Longs();
  private final Ints open = new Ints();
  private final Ints errorAt = new Ints();
  private final Ints error = new Ints();
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  void beginSession(int place) {
    laneSession.add(place);
    laneSpans.add(0);
  }

  void beginTrack(String track) {
    tracks.add(track);
    laneSpans.add(0);
  }

  /** Adds a span of the lane begun last, later than or at the start of the one before. */
  void add(SessionSpans spans, int i, int above, long length, long selfNs) {
    int n = name.count;
    laneSpans.values[laneSpans.count - 1]++;
    name.add(names.place(spans.table().nameOf(spans.name(i))));
    kind.add(kinds.place(spans.kind(i).word()));
    outcome.add(outcomes.place(spans.outcome(i).word()));
    worker.add(workers.place(spans.at(i).worker().label()));
    parent.add(above);
    depth.add(spans.depth(i));
    start.add(spans.start(i));
    duration.add(length);
    self.add(selfNs == length ? -1 : selfNs);
    first = Math.min(first, spans.start(i));
    last = Math.max(last, spans.start(i) + length);
    if (spans.isOpen(i)) {
      open.add(n);
    }
    int why = errors.place(spans.error(i));
    if (why >= 0) {
      errorAt.add(n);
      error.add(why);
    }
  }

  SpanColumns build(boolean byIds) {
    boolean empty = name.count == 0;
    return new SpanColumns(
        empty ? 0 : first,
        empty ? 0 : last,
        byIds,
        names.list().stream().map(SpanName::raw).toList(),
        names.list().stream().map(SpanName::stage).toList(),
        kinds.list(),
        outcomes.list(),
        workers.list(),
        errors.list(),
        tracks,
        laneSession.trimmed(),
        laneSpans.trimmed(),
        name.trimmed(),
        kind.trimmed(),
        outcome.trimmed(),
        worker.trimmed(),
        parent.trimmed(),
        depth.trimmed(),
        starts(),
        duration.trimmed(),
        self.trimmed(),
        open.trimmed(),
        errorAt.trimmed(),
        error.trimmed());
  }

  /** Small numbers compress better: each start after the one before in its lane. */
  private long[] starts() {
    long[] after = new long[start.count];
    int n = 0;
    for (int lane = 0; lane < laneSpans.count; lane++) {
      long before = first;
      for (int k = 0; k < laneSpans.values[lane]; k++, n++) {
        after[n] = start.values[n] - before;
        before = start.values[n];
      }
    }
    return after;
  }
}
