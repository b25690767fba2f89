package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.TimelineReport.By;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The spans that overlap a window, the longest first as far as the budget goes. */
public final class TimelineView {
  private static final int MAX_DEPTH = 1_000;

  /** One span on its lane. */
  private record Span(
      String lane,
      String name,
      String stage,
      String kind,
      String outcome,
      String session,
      String error,
      String id,
      String parent,
      long start,
      long duration,
      long self,
      boolean open) {
    private static final Comparator<Span> BY_ID =
        Comparator.comparing(Span::id)
            .thenComparing(Span::session, Comparator.nullsLast(Comparator.naturalOrder()));
    static final Comparator<Span> LONGEST =
        Comparator.comparingLong((Span s) -> -s.duration)
            .thenComparingLong(Span::start)
            .thenComparing(BY_ID);
    static final Comparator<Span> BY_LANE =
        Comparator.comparing(Span::lane)
            .thenComparingLong(Span::start)
            .thenComparingLong(s -> -s.duration)
            .thenComparing(BY_ID);
  }

  private static final class Words {
    final Map<String, Integer> places = new LinkedHashMap<>();

    int place(String word) {
      return word == null ? -1 : places.computeIfAbsent(word, w -> places.size());
    }

    List<String> list() {
      return new ArrayList<>(places.keySet());
    }
  }

  private final SpanTable table;
  private final ScopeFilter filter;
  private final By by;
  private final boolean lanes;
  private final List<Span> spans = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  private TimelineView(SpanTable table, Selection selection, By by) {
    this.table = table;
    this.filter = new ScopeFilter(table, selection);
    this.by = by;
    this.lanes = selection.filter().isEmpty();
  }

  /**
   * Looks at the table as it is.
   *
   * @param fromNs the window's beginning, or null for that of what is in scope; likewise its end
   * @param budget most spans, from 1 to {@link TimelineReport#MAX_BUDGET}
   */
  public static TimelineReport of(
      SpanTable table,
      Selection selection,
      By by,
      Long fromNs,
      Long toNs,
      int budget,
      ReportContext context) {
    if (budget < 1 || budget > TimelineReport.MAX_BUDGET) {
      throw new IllegalArgumentException(
          "budget: " + budget + " (expected: from 1 to " + TimelineReport.MAX_BUDGET + ")");
    }
    TimelineView view = new TimelineView(table, selection, by);
    view.look();
    boolean empty = view.first > view.last;
    long from = fromNs != null ? fromNs : empty ? 0 : view.first;
    long to = toNs != null ? toNs : Math.max(from, empty ? 0 : view.last + 1);
    if (to < from) {
      throw new IllegalArgumentException(
          "window: " + from + " to " + to + " (expected: from <= to)");
    }
    return view.report(from, to, budget, context);
  }

  private void look() {
    SessionSpans loaded = new SessionSpans(table);
    Accounting accounting = new Accounting();
    for (int s = 0; s < table.sessionCount(); s++) {
      loaded.load(s, filter.kept());
      SessionState state = SessionState.of(loaded);
      boolean lane = table.isLane(s);
      if (lane ? !lanes : !filter.includes(loaded, state.status())) {
        continue;
      }
      long now = filter.asOf(s);
      Window window = Window.of(loaded, state.status(), now);
      accounting.account(loaded, window.from(), window.to(), window.finalised());
      if (!lane) {
        first = Math.min(first, window.from());
        last = Math.max(last, window.to());
        numbers.put(table.key(s), s);
      }
      for (int i = 0; i < loaded.count(); i++) {
        if (lane) {
          first = Math.min(first, loaded.start(i));
          last = Math.max(last, loaded.end(i, loaded.start(i)));
        }
        String place = place(loaded, state, i, lane);
        if (place != null) {
          spans.add(span(loaded, i, place, lane, now, accounting.self(i)));
        }
      }
    }
  }

  private String place(SessionSpans loaded, SessionState state, int i, boolean lane) {
    String key = table.key(loaded.session());
    return switch (by) {
      case SESSION -> lane ? null : key;
      case LANE -> lane ? key : null;
      case WORKER -> loaded.at(i).worker().label();
      case TASK -> lane ? loaded.at(i).task() : state.at().task();
    };
  }

  private Span span(SessionSpans loaded, int i, String place, boolean lane, long now, long self) {
    String error = loaded.error(i) == null ? "(no message)" : loaded.error(i);
    return new Span(
        place,
        loaded.rawName(i),
        loaded.stage(i),
        loaded.kind(i).word(),
        loaded.outcome(i).word(),
        lane ? null : table.key(loaded.session()),
        loaded.outcome(i) == Outcome.ERROR ? error : null,
        id(loaded.spanId(i)),
        id(loaded.parentId(i)),
        loaded.start(i),
        Math.max(0, loaded.end(i, now) - loaded.start(i)),
        self,
        loaded.isOpen(i));
  }

  private static String id(long id) {
    return id == 0 ? "" : HexFormat.of().toHexDigits(id);
  }

  private TimelineReport report(long from, long to, int budget, ReportContext context) {
    spans.removeIf(
        s ->
            s.start >= to
                || (!s.open
                    && s.start + s.duration <= from
                    && !(s.duration == 0 && s.start == from)));
    int all = spans.size();
    spans.sort(Span.LONGEST);
    List<Span> shown = new ArrayList<>(spans.subList(0, Math.min(all, budget)));
    shown.sort(Span.BY_LANE);
    Words laneWords = new Words();
    Words names = new Words();
    Words stages = new Words();
    Words kinds = new Words();
    Words outcomes = new Words();
    Words sessions = new Words();
    Words errors = new Words();
    int[] lane = shown.stream().mapToInt(s -> laneWords.place(s.lane)).toArray();
    int[] parents = parents(shown);
    int[] none = new int[shown.size()];
    java.util.Arrays.fill(none, -1);
    boolean[] open = new boolean[shown.size()];
    for (int i = 0; i < open.length; i++) {
      open[i] = shown.get(i).open;
    }
    int[] name = shown.stream().mapToInt(s -> names.place(s.name)).toArray();
    int[] stage = shown.stream().mapToInt(s -> stages.place(s.stage)).toArray();
    int[] kind = shown.stream().mapToInt(s -> kinds.place(s.kind)).toArray();
    int[] outcome = shown.stream().mapToInt(s -> outcomes.place(s.outcome)).toArray();
    int[] session = shown.stream().mapToInt(s -> sessions.place(s.session)).toArray();
    int[] error = shown.stream().mapToInt(s -> errors.place(s.error)).toArray();
    return new TimelineReport(
        context.source(),
        context.run(),
        from,
        to,
        by.word(),
        laneWords.list(),
        names.list(),
        stages.list(),
        kinds.list(),
        outcomes.list(),
        sessions.list(),
        errors.list(),
        List.of(),
        lane,
        name,
        stage,
        kind,
        outcome,
        session,
        error,
        none,
        parents,
        depths(parents),
        shown.stream().mapToLong(s -> s.start - from).toArray(),
        shown.stream().mapToLong(Span::duration).toArray(),
        shown.stream().mapToLong(Span::self).toArray(),
        open,
        shown.stream().map(s -> s.id.isEmpty() ? null : s.id).toArray(String[]::new),
        laneInfo(laneWords.list()),
        (long) all - shown.size());
  }

  private LaneInfo laneInfo(List<String> labels) {
    LaneInfo info = LaneInfo.of(labels, by);
    SessionSpans loaded = new SessionSpans(table);
    for (int lane = 0; by == By.SESSION && lane < labels.size(); lane++) {
      int s = numbers.get(labels.get(lane));
      loaded.load(s);
      SessionState state = SessionState.of(loaded);
      Window window = Window.of(loaded, state.status(), filter.asOf(s));
      info.task()[lane] = state.at().task();
      info.taskName()[lane] = state.at().taskName();
      info.worker()[lane] = state.at().worker().label();
      info.status()[lane] = state.status().word();
      info.batch()[lane] = Scope.batchOf(state.at());
      info.startS()[lane] = window.from() / 1e9;
      info.wallS()[lane] = (window.to() - window.from()) / 1e9;
    }
    return info;
  }

  /** Places of the spans around those of the list, as far as these are in it. */
  private static int[] parents(List<Span> shown) {
    record Id(String session, String span) {}
    Map<Id, Integer> places = new HashMap<>();
    for (int i = 0; i < shown.size(); i++) {
      places.putIfAbsent(new Id(shown.get(i).session, shown.get(i).id), i);
    }
    int[] parents = new int[shown.size()];
    for (int i = 0; i < parents.length; i++) {
      Span span = shown.get(i);
      Integer parent = span.parent.isEmpty() ? null : places.get(new Id(span.session, span.parent));
      parents[i] = parent == null || parent == i ? -1 : parent;
    }
    return parents;
  }

  /** How many spans of the list are around each; circles do not end otherwise. */
  private static int[] depths(int[] parents) {
    int[] depths = new int[parents.length];
    for (int i = 0; i < parents.length; i++) {
      for (int up = parents[i]; up >= 0 && depths[i] < MAX_DEPTH; up = parents[up]) {
        depths[i]++;
      }
    }
    return depths;
  }
}
