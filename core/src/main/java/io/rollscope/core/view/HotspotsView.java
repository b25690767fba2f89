package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport.StageStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers where the time went: statistics per stage, and the waits beside them. */
public final class HotspotsView {
  private HotspotsView() {}

  /** Without what takes longer. */
  public static HotspotsReport of(SpanTable table, Selection scope, ReportContext context) {
    return of(table, scope, Detail.NONE, context);
  }

  /** Looks at the table as it is; open spans count up to the last event in scope. */
  public static HotspotsReport of(
      SpanTable table, Selection scope, Detail detail, ReportContext context) {
    ScopeFilter filter = new ScopeFilter(table, scope);
    List<Totals> parts =
        SessionPass.parts(
            table, filter.kept(), () -> new Totals(table, filter, detail), Totals::addSession);
    TableGroups.settle(parts.stream().map(part -> part.groups).toList());
    return SessionPass.join(parts, Totals::addAll).report(context, scope.scope());
  }

  /** States, ops and phases of one name are apart, and so is what is done for no session. */
  private record StageKey(String stage, Kind kind, boolean lane) {}

  private static final class Stage {
    final Durations durations = new Durations();
    final NanoSum self = new NanoSum();
    final Distribution distribution = new Distribution();
    int open;
    int errors;

    void addAll(Stage other) {
      durations.addAll(other.durations);
      self.add(other.self);
      distribution.addAll(other.distribution);
      open += other.open;
      errors += other.errors;
    }
  }

  private static final class Totals {
    private final SpanTable table;
    private final ScopeFilter filter;
    private final Accounting accounting = new Accounting();
    private final Map<StageKey, Stage> stages = new LinkedHashMap<>();
    private Stage[] byName = new Stage[0];
    private final WaitTotals waits = new WaitTotals();
    private final OutsideTime outside = new OutsideTime();
    private final NanoSum laneWall = new NanoSum();
    private final TableGroups groups;
    private final ErrorGroups errors = new ErrorGroups();
    private final Extent sessionExtent = new Extent();
    private final Extent laneExtent = new Extent();
    private final SessionNesting nesting;
    private final WorkerTotals workers;
    private int sessions;
    private int tasks;
    private int spanCount;
    private long longest;
    private long clockDisagrees;

    Totals(SpanTable table, ScopeFilter filter, Detail detail) {
      this.table = table;
      this.filter = filter;
      groups = new TableGroups(table);
      nesting = detail.nesting() ? new SessionNesting() : null;
      workers = detail.workers() ? new WorkerTotals() : null;
    }

    void addSession(SessionSpans spans) {
      int s = spans.session();
      boolean lane = table.isLane(s);
      Status status = SessionState.statusOf(spans);
      boolean inScope =
          lane ? spans.rowCount() > 0 && filter.includesLanes() : filter.includes(spans, status);
      boolean grouped = !lane && spans.rowCount() > 0 && groups.mayHaveGroup(s);
      if (!inScope && !grouped) {
        return;
      }
      long now = filter.asOfScope(s);
      Window window = Window.of(spans, status, now);
      accounting.account(spans, window.from(), window.to(), window.finalised());
      Group group = grouped ? TableGroups.of(table, s, SessionState.of(spans).at()) : null;
      groups.ended(group, s, accounting);
      if (!inScope) {
        return;
      }
      long closesAt = window.finalised() ? window.to() : now;
      boolean works = addSpans(spans, closesAt, lane);
      if (lane) {
        laneWall.add(works ? accounting.wall() : 0);
      } else {
        sessions++;
        waits.add(accounting);
        outside.add(OutsideTime.of(spans, accounting));
      }
      if (nesting != null && !lane) {
        nesting.add(spans, accounting, closesAt);
      }
      groups.keep(group, s, accounting, i -> selfTimes(spans, i), waits);
    }

    private List<NanoSum> selfTimes(SessionSpans spans, int i) {
      List<NanoSum> sums = new ArrayList<>(3);
      sums.add(stage(spans, i, false).self);
      if (workers != null) {
        workers.self(spans.at(i).worker().label(), spans.stage(i)).ifPresent(sums::add);
      }
      if (nesting != null) {
        sums.add(nesting.branch(i).self());
      }
      return sums;
    }

    /** Whether there is any work. */
    private boolean addSpans(SessionSpans spans, long closesAt, boolean lane) {
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      int counted = 0;
      for (int i = 0; i < spans.count(); i++) {
        if (!spans.isWork(i)) {
          continue;
        }
        counted++;
        long start = spans.start(i);
        long end = spans.end(i, closesAt);
        first = Math.min(first, start);
        last = Math.max(last, end);
        Stage stage = stage(spans, i, lane);
        stage.durations.add(end - start);
        stage.self.add(accounting.self(i));
        if (!spans.isOpen(i)) {
          stage.distribution.add(end - start);
        }
        if (workers != null) {
          addToWorker(spans, i, end - start);
        }
        if (spans.isOpen(i)) {
          stage.open++;
        } else if (spans.outcome(i) == Outcome.ERROR) {
          stage.errors++;
          errors.add(spans.stage(i), spans.error(i), table.key(spans.session()));
        }
        clockDisagrees += spans.clockDisagrees(i) ? 1 : 0;
      }
      spanCount += counted;
      if (counted > 0 && !lane) {
        tasks++;
        longest = Math.max(longest, last - first);
      }
      if (counted > 0) {
        (lane ? laneExtent : sessionExtent).add(first, last);
      }
      return counted > 0;
    }

    private void addToWorker(SessionSpans spans, int i, long duration) {
      workers.add(
          spans.at(i).worker().label(),
          spans.stage(i),
          duration,
          accounting.self(i),
          spans.isOpen(i),
          !spans.isOpen(i) && spans.outcome(i) == Outcome.ERROR);
    }

    private Stage stage(SessionSpans spans, int i, boolean lane) {
      Kind said = spans.kind(i);
      Kind kind = lane && said == Kind.PHASE ? Kind.OP : said;
      int name = spans.name(i);
      int slot = 6 * name + (kind.ordinal() - Kind.PHASE.ordinal()) + (lane ? 3 : 0);
      if (slot >= byName.length) {
        byName = Arrays.copyOf(byName, Math.max(slot + 1, 6 * table.nameCount()));
      }
      Stage stage = byName[slot];
      if (stage == null) {
        StageKey key = new StageKey(table.nameOf(name).stage(), kind, lane);
        stage = stages.computeIfAbsent(key, k -> new Stage());
        byName[slot] = stage;
      }
      return stage;
    }

    void addAll(Totals other) {
      other.stages.forEach(
          (key, stage) -> stages.computeIfAbsent(key, k -> new Stage()).addAll(stage));
      waits.addAll(other.waits);
      outside.addAll(other.outside);
      laneWall.add(other.laneWall);
      errors.addAll(other.errors);
      sessionExtent.addAll(other.sessionExtent);
      laneExtent.addAll(other.laneExtent);
      sessions += other.sessions;
      tasks += other.tasks;
      spanCount += other.spanCount;
      longest = Math.max(longest, other.longest);
      clockDisagrees += other.clockDisagrees;
      if (nesting != null) {
        nesting.nesting.addAll(other.nesting.nesting);
      }
      if (workers != null) {
        workers.addAll(other.workers);
      }
    }

    HotspotsReport report(ReportContext context, Scope scope) {
      Extent extent = sessionExtent.isEmpty() ? laneExtent : sessionExtent;
      return new HotspotsReport(
          context.source(),
          context.run(),
          scope.word(),
          tasks,
          sessions,
          spanCount,
          extent.isEmpty() ? 0 : Nanos.toSeconds(extent.first),
          extent.isEmpty() ? 1 : Nanos.toSeconds(extent.last),
          Nanos.toSeconds(longest),
          Distribution.boundsSeconds(),
          stageStats(),
          waits.waits(),
          outside.most(),
          clockDisagrees,
          errors.top(),
          nesting == null ? null : nesting.nesting.list(),
          workers == null ? null : workers.list(),
          workers == null ? null : workers.leftOut(),
          context.otherRuns(),
          context.skippedLines());
    }

    private List<StageStats> stageStats() {
      return stages.entrySet().parallelStream()
          .map(e -> stats(e.getKey(), e.getValue()))
          .sorted(
              Comparator.comparingDouble(StageStats::p95S)
                  .thenComparingDouble(StageStats::totalS)
                  .reversed()
                  .thenComparing(StageStats::stage)
                  .thenComparing(StageStats::kind))
          .toList();
    }

    private StageStats stats(StageKey key, Stage stage) {
      Durations d = stage.durations;
      double wall = key.lane() ? laneWall.seconds() : waits.sharedSeconds();
      double self = stage.self.seconds();
      return new StageStats(
          key.stage(),
          key.kind().word(),
          d.count(),
          stage.open,
          stage.errors,
          d.totalSeconds(),
          self,
          d.meanSeconds(),
          d.seconds(.5),
          d.seconds(.95),
          d.seconds(.99),
          d.seconds(1),
          wall == 0 ? 0 : self / wall,
          stage.distribution.list());
    }
  }

  private static final class Extent {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;

    void add(long from, long to) {
      first = Math.min(first, from);
      last = Math.max(last, to);
    }

    void addAll(Extent other) {
      add(other.first, other.last);
    }

    boolean isEmpty() {
      return first > last;
    }
  }
}
