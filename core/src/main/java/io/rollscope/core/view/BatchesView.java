package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.BatchAccounting;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport.Batch;
import io.rollscope.core.view.BatchesReport.Straggler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers how the batches went. A session counts for the batch it was last heard of in. */
public final class BatchesView {
  private static final int STRAGGLERS = 3;
  private static final Comparator<Long> LAST_IF_UNKNOWN =
      Comparator.nullsFirst(Comparator.naturalOrder());
  private static final Comparator<Batch> NEWEST_FIRST =
      Comparator.comparing(Batch::trainStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::modelStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::futureStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::startS)
          .reversed()
          .thenComparing(Batch::batch);
  private static final Comparator<Straggler> SLOWEST =
      Comparator.comparingDouble(Straggler::wallS).reversed().thenComparing(Straggler::session);

  private BatchesView() {}

  /** The newest batches in scope, at most {@code limit}. */
  public static BatchesReport of(SpanTable table, Scope scope, int limit, ReportContext context) {
    ScopeFilter filter = new ScopeFilter(table, scope);
    Stories all =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new Stories(table, filter),
            Stories::addSession,
            Stories::addAll);
    List<Batch> batches =
        all.stories.entrySet().stream()
            .map(e -> e.getValue().batch(e.getKey()))
            .sorted(NEWEST_FIRST)
            .limit(limit)
            .toList();
    return new BatchesReport(
        context.source(), context.run(), batches, all.stories.size() - (long) batches.size());
  }

  private static final class Story {
    private final BatchAccounting accounting = new BatchAccounting();
    private final Map<String, Integer> statuses = new TreeMap<>();
    private final Map<String, NanoSum> stages = new HashMap<>();
    private final WaitTotals waits = new WaitTotals();
    private final List<Straggler> stragglers = new ArrayList<>();
    private Long trainStep;
    private Long modelStep;
    private Long futureStep;
    private long start = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private int sessions;

    void add(SessionSpans spans, SessionState state, Window window, Accounting accounted) {
      Coordinates at = state.at();
      addSteps(at.trainStep(), at.modelStep(), at.futureStep());
      addExtent(window.from(), window.to());
      accounting.add(window.from(), window.to());
      sessions++;
      statuses.merge(state.status().word(), 1, Integer::sum);
      waits.add(accounted);
      for (int i = 0; i < spans.count(); i++) {
        if (spans.isWork(i)) {
          stages.computeIfAbsent(spans.stage(i), s -> new NanoSum()).add(accounted.self(i));
        }
      }
      straggler(
          new Straggler(
              spans.table().key(spans.session()),
              state.status().word(),
              at.worker().label(),
              Nanos.toSeconds(accounted.wall())));
    }

    private void addSteps(Long train, Long model, Long future) {
      trainStep = greater(trainStep, train);
      modelStep = greater(modelStep, model);
      futureStep = greater(futureStep, future);
    }

    private static Long greater(Long a, Long b) {
      return a == null || (b != null && b > a) ? b : a;
    }

    private void addExtent(long from, long to) {
      start = Math.min(start, from);
      end = Math.max(end, to);
    }

    private void straggler(Straggler session) {
      stragglers.add(session);
      stragglers.sort(SLOWEST);
      if (stragglers.size() > STRAGGLERS) {
        stragglers.remove(STRAGGLERS);
      }
    }

    void addAll(Story other) {
      addSteps(other.trainStep, other.modelStep, other.futureStep);
      addExtent(other.start, other.end);
      accounting.addAll(other.accounting);
      sessions += other.sessions;
      other.statuses.forEach((status, n) -> statuses.merge(status, n, Integer::sum));
      waits.addAll(other.waits);
      other.stages.forEach(
          (stage, self) -> stages.computeIfAbsent(stage, s -> new NanoSum()).add(self));
      other.stragglers.forEach(this::straggler);
    }

    Batch batch(String id) {
      BatchAccounting.Result r = accounting.result();
      return new Batch(
          id,
          trainStep,
          modelStep,
          futureStep,
          sessions,
          statuses,
          Nanos.toSeconds(start),
          Nanos.toSeconds(end),
          Nanos.toSeconds(r.wallNs()),
          r.slots(),
          Nanos.toSeconds(r.tailNs()),
          r.tailCost().seconds(),
          waits.wall().seconds(),
          longestFirst(),
          waits.waits(),
          List.copyOf(stragglers));
    }

    private Map<String, Double> longestFirst() {
      Map<String, Double> sorted = new LinkedHashMap<>();
      stages.entrySet().stream()
          .map(e -> Map.entry(e.getKey(), e.getValue().seconds()))
          .sorted(
              Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                  .thenComparing(Map.Entry.comparingByKey()))
          .forEach(e -> sorted.put(e.getKey(), e.getValue()));
      return sorted;
    }
  }

  private static final class Stories {
    private final SpanTable table;
    private final ScopeFilter filter;
    private final Accounting accounting = new Accounting();
    private final Map<String, Story> stories = new HashMap<>();

    Stories(SpanTable table, ScopeFilter filter) {
      this.table = table;
      this.filter = filter;
    }

    void addSession(SessionSpans spans) {
      if (table.isLane(spans.session())) {
        return;
      }
      SessionState state = SessionState.of(spans);
      String batch = Scope.batchOf(state.at());
      if (batch == null || !filter.includes(spans, state.status())) {
        return;
      }
      Window window = Window.of(spans, state.status(), filter.lastEvent(spans.session()));
      accounting.account(spans, window.from(), window.to(), window.finalised());
      stories.computeIfAbsent(batch, b -> new Story()).add(spans, state, window, accounting);
    }

    void addAll(Stories other) {
      other.stories.forEach(
          (batch, story) -> stories.computeIfAbsent(batch, b -> new Story()).addAll(story));
    }
  }
}
