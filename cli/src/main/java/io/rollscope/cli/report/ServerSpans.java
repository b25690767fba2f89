package io.rollscope.cli.report;

import io.rollscope.cli.remote.RemoteTimeline;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SpanColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brings the spans that a server gives into the columns of a report. */
final class ServerSpans {
  private final SessionColumns sessions;
  private final Map<String, Integer> places = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> nameStages = new ArrayList<>();
  private final Map<List<String>, Integer> nameOf = new HashMap<>();
  private final Words kinds = new Words();
  private final Words outcomes = new Words();
  private final Words errors = new Words();
  private final List<String> tracks = new ArrayList<>();
  private final List<Integer> laneSession = new ArrayList<>();
  private final List<Integer> laneSpans = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();

  /** One span; its start as the server tells it. */
  private record Span(
      int name,
      int kind,
      int outcome,
      int worker,
      int parent,
      int depth,
      long start,
      long duration,
      long self,
      boolean open,
      int error) {}

  private static final class Words {
    private final Map<String, Integer> places = new HashMap<>();
    private final List<String> list = new ArrayList<>();

    int place(List<String> from, int at) {
      if (at < 0 || at >= from.size()) {
        return -1;
      }
      return places.computeIfAbsent(
          from.get(at),
          word -> {
            list.add(word);
            return list.size() - 1;
          });
    }
  }

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
      SessionColumns sessions, RemoteTimeline ofSessions, RemoteTimeline ofProcesses) {
    ServerSpans all = new ServerSpans(sessions);
    all.add(ofSessions, true);
    all.add(ofProcesses, false);
    return all.build();
  }

  private void add(RemoteTimeline from, boolean areSessions) {
    int to;
    for (int first = 0; first < from.lane().length; first = to) {
      to = first;
      while (to < from.lane().length && from.lane()[to] == from.lane()[first]) {
        to++;
      }
      String lane = from.lanes().get(from.lane()[first]);
      Integer place = areSessions ? places.get(lane) : null;
      if (areSessions && place == null) {
        continue;
      }
      if (areSessions) {
        laneSession.add(place);
      } else {
        tracks.add(lane);
      }
      laneSpans.add(to - first);
      for (int n = first; n < to; n++) {
        spans.add(span(from, n, first, place == null ? -1 : sessions.worker()[place]));
      }
    }
  }

  private Span span(RemoteTimeline from, int n, int first, int worker) {
    int parent = at(from.parent(), n, -1);
    long duration = from.durationNs()[n];
    long self = n < from.selfNs().length ? from.selfNs()[n] : -1;
    return new Span(
        name(from.names().get(from.name()[n]), from.stages().get(from.stage()[n])),
        kinds.place(from.kinds(), from.kind()[n]),
        outcomes.place(from.outcomes(), from.outcome()[n]),
        worker,
        parent >= first && parent < n ? parent - first : -1,
        at(from.depth(), n, 0),
        from.fromNs() + from.startNs()[n],
        duration,
        self == duration ? -1 : self,
        from.open()[n],
        errors.place(from.errors(), at(from.error(), n, -1)));
  }

  private static int at(int[] column, int n, int otherwise) {
    return n < column.length ? column[n] : otherwise;
  }

  private int name(String raw, String stage) {
    return nameOf.computeIfAbsent(
        List.of(raw, stage),
        key -> {
          names.add(raw);
          nameStages.add(stage);
          return names.size() - 1;
        });
  }

  private SpanColumns build() {
    long first = spans.stream().mapToLong(Span::start).min().orElse(0);
    long last = spans.stream().mapToLong(s -> s.start() + s.duration()).max().orElse(0);
    long[] starts = new long[spans.size()];
    int n = 0;
    for (int count : laneSpans) {
      long before = first;
      for (int end = n + count; n < end; n++) {
        starts[n] = spans.get(n).start() - before;
        before = spans.get(n).start();
      }
    }
    int[] open = places(Span::open);
    int[] failed = places(s -> s.error() >= 0);
    return new SpanColumns(
        first,
        last,
        true,
        names,
        nameStages,
        kinds.list,
        outcomes.list,
        sessions.workers(),
        errors.list,
        tracks,
        ints(laneSession),
        ints(laneSpans),
        spans.stream().mapToInt(Span::name).toArray(),
        spans.stream().mapToInt(Span::kind).toArray(),
        spans.stream().mapToInt(Span::outcome).toArray(),
        spans.stream().mapToInt(Span::worker).toArray(),
        spans.stream().mapToInt(Span::parent).toArray(),
        spans.stream().mapToInt(Span::depth).toArray(),
        starts,
        spans.stream().mapToLong(Span::duration).toArray(),
        spans.stream().mapToLong(Span::self).toArray(),
        open,
        failed,
        Arrays.stream(failed).map(i -> spans.get(i).error()).toArray());
  }

  private int[] places(java.util.function.Predicate<Span> wanted) {
    return java.util.stream.IntStream.range(0, spans.size())
        .filter(i -> wanted.test(spans.get(i)))
        .toArray();
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(i -> i).toArray();
  }
}
