package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.BatchTotals;
import io.rollscope.core.accounting.BatchTotals.Earned;
import io.rollscope.core.accounting.Group;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.NanoSum;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.BatchesReport.Batch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Answers how the batches went. A session counts for the batch it was last heard of in. */
public final class BatchesView {
  private static final Comparator<Long> LAST_IF_UNKNOWN =
      Comparator.nullsFirst(Comparator.naturalOrder());
  private static final Comparator<Batch> NEWEST_FIRST =
      Comparator.comparing(Batch::trainStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::modelStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::futureStep, LAST_IF_UNKNOWN)
          .thenComparing(Batch::startS)
          .reversed()
          .thenComparing(Batch::batch);

  private BatchesView() {}

  /** The newest batches in scope, at most {@code limit}. */
  public static BatchesReport of(
      SessionsView.Input input, Selection scope, int limit, ReportContext context) {
    SpanTable table = input.table();
    ScopeFilter filter = new ScopeFilter(table, scope);
    Map<Integer, Long> derived = derivedSteps(input, filter);
    List<Stories> parts =
        SessionPass.parts(
            table, filter.kept(), () -> new Stories(table, filter, derived), Stories::addSession);
    TableGroups.settle(parts.stream().map(part -> part.groups).toList());
    Stories all = SessionPass.join(parts, Stories::addAll);
    List<Batch> batches =
        all.stories.entrySet().stream()
            .map(e -> e.getValue().batch(e.getKey(), all.lanes))
            .sorted(NEWEST_FIRST)
            .limit(limit)
            .toList();
    return new BatchesReport(
        context.source(), context.run(), batches, all.stories.size() - (long) batches.size());
  }

  /** Of a run that names no batches itself: the training steps that stand for them. */
  static Map<Integer, Long> derivedSteps(SessionsView.Input input, ScopeFilter filter) {
    boolean mayBe = input.batchSize() != null || !input.barrierSpans().processes().isEmpty();
    if (!mayBe) {
      return Map.of();
    }
    Accounting accounting = new Accounting();
    SessionSteps steps = new SessionSteps();
    SessionSpans spans = new SessionSpans(input.table());
    for (int s = 0; s < input.table().sessionCount(); s++) {
      spans.load(s, filter.kept());
      SessionState state = SessionState.of(spans);
      if (!input.table().isLane(s) && filter.includes(spans, state.status())) {
        Window window = Window.of(spans, state.status(), filter.asOf(s));
        accounting.account(spans, window.from(), window.to(), window.finalised());
        steps.add(SessionsView.member(spans, state, window, accounting));
      }
    }
    return steps.result(input.barrierSpans(), input.batchSize()).derived();
  }

  private static final class Story {
    private final BatchTotals totals = new BatchTotals();
    private final Map<String, Integer> statuses = new TreeMap<>();
    private final Map<String, NanoSum> stages = new HashMap<>();
    private final WaitTotals waits = new WaitTotals();
    private final Stragglers stragglers = new Stragglers();
    private Long trainStep;
    private Long modelStep;
    private Long futureStep;

    void add(
        SessionSpans spans, SessionState state, Window window, Group group, Accounting accounted) {
      Coordinates at = state.at();
      addSteps(at.trainStep(), at.modelStep(), at.futureStep());
      totals.add(window.from(), accounted.workEnd(), state.status().isUnfinished());
      totals.earned(Earned.of(spans.table().rewardAndTokens(spans.session())));
      statuses.merge(state.status().word(), 1, Integer::sum);
      waits.add(accounted);
      for (int i = 0; i < spans.count(); i++) {
        if (spans.isWork(i)) {
          stages.computeIfAbsent(spans.stage(i), s -> new NanoSum()).add(accounted.self(i));
        }
      }
      if (stragglers.mayTake(accounted.ownEnd())) {
        addStraggler(spans, state, group, accounted);
      }
    }

    /** Of all siblings the last one waits for none, so that nothing is to be taken off later. */
    private void addStraggler(
        SessionSpans spans, SessionState state, Group group, Accounting accounted) {
      Map<String, Long> selfTimes = new TreeMap<>();
      for (int i = 0; i < spans.count(); i++) {
        if (spans.isWork(i)) {
          selfTimes.merge(spans.stage(i), accounted.self(i), Long::sum);
        }
      }
      Map.Entry<String, Long> longest =
          selfTimes.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
      stragglers.add(
          new Stragglers.Slow(
              group,
              spans.table().key(spans.session()),
              state.status().word(),
              state.at().worker().label(),
              accounted.ownEnd(),
              accounted.wall() - accounted.queue() - accounted.barrier(),
              accounted.wall(),
              longest == null ? null : longest.getKey(),
              longest == null ? 0 : longest.getValue()));
    }

    private void addSteps(Long train, Long model, Long future) {
      trainStep = greater(trainStep, train);
      modelStep = greater(modelStep, model);
      futureStep = greater(futureStep, future);
    }

    private static Long greater(Long a, Long b) {
      return a == null || (b != null && b > a) ? b : a;
    }

    void addAll(Story other) {
      addSteps(other.trainStep, other.modelStep, other.futureStep);
      totals.addAll(other.totals);
      other.statuses.forEach((status, n) -> statuses.merge(status, n, Integer::sum));
      waits.addAll(other.waits);
      other.stages.forEach(
          (stage, self) -> stages.computeIfAbsent(stage, s -> new NanoSum()).add(self));
      stragglers.addAll(other.stragglers);
    }

    Batch batch(String id, Map<String, BatchTotals> lanes) {
      BatchTotals whole = new BatchTotals();
      whole.addAll(totals);
      Set<String> names = new LinkedHashSet<>(List.of(id));
      if (trainStep != null) {
        names.add(SessionSteps.batchOf(trainStep));
      }
      names.stream().map(lanes::get).filter(Objects::nonNull).forEach(whole::addAll);
      BatchTotals.Result r = whole.result();
      Map<String, Double> parts = new LinkedHashMap<>();
      whole.parts().forEach((stage, ns) -> parts.put(stage, Nanos.toSeconds(ns)));
      return new Batch(
          id,
          trainStep,
          modelStep,
          futureStep,
          r.sessions(),
          statuses,
          Nanos.toSeconds(r.startNs()),
          Nanos.toSeconds(r.endNs()),
          Nanos.toSeconds(r.wallNs()),
          r.slots(),
          Nanos.toSeconds(r.tailNs()),
          r.tailCost().seconds(),
          waits.wall().seconds(),
          whole.earned().reward(),
          whole.earned().inputTokens(),
          whole.earned().outputTokens(),
          parts,
          longestFirst(),
          waits.waits(),
          stragglers.list());
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
    private final Map<Integer, Long> derived;
    private final TableGroups groups;
    private final Accounting accounting = new Accounting();
    private final Map<String, Story> stories = new HashMap<>();

    /** Batches' own spans, and what processes did for them. */
    private final Map<String, BatchTotals> lanes = new HashMap<>();

    Stories(SpanTable table, ScopeFilter filter, Map<Integer, Long> derived) {
      this.table = table;
      this.filter = filter;
      this.derived = derived;
      this.groups = new TableGroups(table);
    }

    void addSession(SessionSpans spans) {
      int s = spans.session();
      if (table.isLane(s)) {
        addLane(spans, filter.asOf(s));
        return;
      }
      SessionState state = SessionState.of(spans);
      Long step = derived.get(s);
      String batch = step != null ? SessionSteps.batchOf(step) : Scope.batchOf(state.at());
      Group group = TableGroups.of(table, s, state.at());
      boolean inScope = batch != null && filter.includes(spans, state.status());
      if (!inScope && (group == null || spans.rowCount() == 0)) {
        return;
      }
      Window window = Window.of(spans, state.status(), filter.asOf(s));
      accounting.account(spans, window.from(), window.to(), window.finalised());
      groups.ended(group, s, accounting);
      if (inScope) {
        Story story = stories.computeIfAbsent(batch, b -> new Story());
        story.add(spans, state, window, group, accounting);
        story.addSteps(step, null, null);
        groups.keep(
            group, s, accounting, i -> List.of(story.stages.get(spans.stage(i))), story.waits);
      }
    }

    private void addLane(SessionSpans spans, long now) {
      for (int i = 0; i < spans.count(); i++) {
        String batch = Scope.batchOf(spans.at(i));
        if (batch == null) {
          continue;
        }
        BatchTotals totals = lanes.computeIfAbsent(batch, b -> new BatchTotals());
        if (spans.kind(i) == Kind.BATCH) {
          totals.span(spans.start(i), spans.end(i, now));
        } else if (spans.isWork(i)) {
          totals.part(spans.stage(i), spans.start(i), spans.end(i, now));
        }
      }
    }

    void addAll(Stories other) {
      other.stories.forEach(
          (batch, story) -> stories.computeIfAbsent(batch, b -> new Story()).addAll(story));
      other.lanes.forEach(
          (batch, part) -> lanes.computeIfAbsent(batch, b -> new BatchTotals()).addAll(part));
    }
  }
}
