package io.rollscope.core.view;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Window;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.stats.Amounts;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers how the sessions fared: statuses, reasons, distributions, steps. */
public final class SessionsView {

  /**
   * What beside the table goes into the report.
   *
   * @param counters what the sessions counted
   * @param barrierSpans the trainer's spans, for steps
   * @param batchSize AReaL's consumer batch size, or null to tell steps otherwise
   */
  public record Input(
      SpanTable table, Map<String, Long> counters, BarrierSpans barrierSpans, Integer batchSize) {}

  public static final String REWARD = "reward";
  public static final String INPUT_TOKENS = "input_tokens";
  public static final String OUTPUT_TOKENS = "output_tokens";

  private static final List<String> TIMES =
      List.of("total_s", "work_s", "queue_s", "gap_s", "barrier_s");
  private static final List<String> AMOUNTS = List.of(REWARD, INPUT_TOKENS, OUTPUT_TOKENS);

  private SessionsView() {}

  /** Distributions as they are shown: the times of sessions, what they earned, then stages. */
  public static Map<String, Summary> inOrder(
      Map<String, Summary> times, Map<String, Summary> amounts) {
    Map<String, Summary> all = new LinkedHashMap<>();
    TIMES.stream().filter(times::containsKey).forEach(name -> all.put(name, times.get(name)));
    AMOUNTS.stream().filter(amounts::containsKey).forEach(name -> all.put(name, amounts.get(name)));
    times.forEach(all::putIfAbsent);
    return all;
  }

  public static SessionsReport of(Input input, Selection scope, ReportContext context) {
    SpanTable table = input.table();
    ScopeFilter filter = new ScopeFilter(table, scope);
    Totals all =
        SessionPass.run(
            table,
            filter.kept(),
            () -> new Totals(table, filter),
            Totals::addSession,
            Totals::addAll);
    SessionSteps.Result steps = all.steps.result(input.barrierSpans(), input.batchSize());
    return new SessionsReport(
        context.source(),
        context.run(),
        scope.scope().word(),
        all.records,
        descending(all.words),
        descending(all.statuses),
        descending(all.reasons),
        all.ranks,
        all.roles,
        all.summaries(),
        descending(all.stages.spanCounts()),
        input.counters(),
        all.unended,
        steps.rule(),
        steps.note(),
        steps.steps(),
        steps.unassigned(),
        all.steps.batches(steps),
        all.errors.top(),
        context.otherRuns(),
        context.skippedLines());
  }

  /** An error text is counted by its type: messages are too many. */
  public static String typeOf(String reason) {
    int colon = reason.indexOf(": ");
    return colon > 0 && reason.substring(0, colon).matches("[\\w.()]+")
        ? reason.substring(0, colon)
        : reason;
  }

  /** A session as steps look at it. */
  static SessionSteps.Member member(
      SessionSpans spans, SessionState state, Window window, Accounting accounted) {
    SpanTable table = spans.table();
    int s = spans.session();
    long latest = spans.latestTime();
    long finalised = SessionSteps.finalised(table.submitted(s), table.finalised(s), latest);
    return new SessionSteps.Member(
        s,
        Scope.batchOf(state.at()),
        window.from(),
        accounted.workEnd(),
        state.status().isUnfinished(),
        table.submitted(s),
        finalised,
        finalised == Nanos.UNKNOWN ? latest : finalised,
        state.status() == Status.ACCEPTED || state.status() == Status.COMPLETED,
        state.at().trainStep(),
        state.at().worker(),
        table.task(s),
        table.rewardAndTokens(s));
  }

  private static Map<String, Integer> descending(Map<String, Integer> counts) {
    Map<String, Integer> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }

  private static final class Totals {
    private static final int MAX_WORDS = 1_000;
    private static final String OTHER = "(other)";
    private static final String UNKNOWN = "unknown";

    private final SpanTable table;
    private final ScopeFilter filter;
    private final Accounting accounting = new Accounting();
    private final Map<String, Integer> words = new TreeMap<>();
    private final Map<String, Integer> statuses = new TreeMap<>();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Map<String, Integer> ranks =
        new TreeMap<>(Comparator.comparing(String::length).thenComparing(s -> s));
    private final Map<String, Integer> roles = new TreeMap<>();
    private final StageTotals stages = new StageTotals();
    private StageTotals.Stage[] stageOfName = new StageTotals.Stage[0];
    private final Map<String, Durations> metrics = new LinkedHashMap<>();
    private final Map<String, Amounts> amounts = new LinkedHashMap<>();
    private final ErrorGroups errors = new ErrorGroups();
    private final SessionSteps steps = new SessionSteps();
    private int records;
    private int unended;

    Totals(SpanTable table, ScopeFilter filter) {
      this.table = table;
      this.filter = filter;
    }

    void addSession(SessionSpans spans) {
      int s = spans.session();
      if (table.isLane(s)) {
        addBatchSpans(spans, filter.asOf(s));
        return;
      }
      SessionState state = SessionState.of(spans);
      if (!filter.includes(spans, state.status())) {
        return;
      }
      records++;
      count(words, state.sourceStatus() == null ? UNKNOWN : state.sourceStatus());
      count(statuses, state.status().word());
      if (state.reason() != null) {
        count(reasons, typeOf(state.reason()));
      }
      Long rank = state.at().worker().rank();
      count(ranks, rank == null ? UNKNOWN : rank.toString());
      if (state.at().worker().role() != null) {
        count(roles, state.at().worker().role());
      }
      Window window = Window.of(spans, state.status(), filter.asOf(s));
      accounting.account(spans, window.from(), window.to(), window.finalised());
      addSpans(spans, state.status(), window);
      steps.add(member(spans, state, window, accounting));
    }

    private void addBatchSpans(SessionSpans spans, long now) {
      for (int i = 0; i < spans.count(); i++) {
        String batch = spans.kind(i) == Kind.BATCH ? Scope.batchOf(spans.at(i)) : null;
        if (batch != null) {
          steps.span(batch, spans.start(i), spans.end(i, now));
        }
      }
    }

    private static void count(Map<String, Integer> counts, String word) {
      String key = counts.size() < MAX_WORDS || counts.containsKey(word) ? word : OTHER;
      counts.merge(key, 1, Integer::sum);
    }

    private void addSpans(SessionSpans spans, Status status, Window window) {
      if (stageOfName.length < table.nameCount()) {
        stageOfName = Arrays.copyOf(stageOfName, table.nameCount());
      }
      StageTotals.Session session = stages.begin();
      for (int i = 0; i < spans.count(); i++) {
        if (!spans.isWork(i)) {
          continue;
        }
        StageTotals.Stage stage = stageOf(spans.name(i));
        stage.spans++;
        if (spans.isOpen(i)) {
          unended++;
          continue;
        }
        session.add(stage, spans.end(i) - spans.start(i));
        if (spans.outcome(i) == Outcome.ERROR) {
          errors.add(spans.stage(i), spans.error(i), table.key(spans.session()));
        }
      }
      session.end();
      if (SessionColumnsView.isMeasured(table, spans.session(), status, window)) {
        metric("total_s", window.to() - window.from());
        metric("work_s", accounting.workEnd() - window.from());
        metric("queue_s", accounting.queue());
        metric("gap_s", accounting.gap());
        if (window.finalised()) {
          metric("barrier_s", accounting.barrier());
        }
      }
      addOlderWaits(spans, window);
      RewardAndTokens got = table.rewardAndTokens(spans.session());
      amount(REWARD, got.reward());
      amount(INPUT_TOKENS, got.inputTokens());
      amount(OUTPUT_TOKENS, got.outputTokens());
    }

    private void amount(String name, Number value) {
      if (value != null) {
        amounts.computeIfAbsent(name, n -> new Amounts()).add(value.doubleValue());
      }
    }

    private StageTotals.Stage stageOf(int name) {
      if (stageOfName[name] == null) {
        stageOfName[name] = stages.stage(table.nameOf(name).stage());
      }
      return stageOfName[name];
    }

    /** AReaL's first formats told waiting in the queue from waiting for a runner. */
    private void addOlderWaits(SessionSpans spans, Window window) {
      for (int i = 0; i < spans.rowCount(); i++) {
        int row = spans.row(i);
        boolean enqueued =
            RowKind.form(table.kind(row)) == RowKind.POINT
                && table.nameOf(table.name(row)).raw().equals("enqueued");
        if (!enqueued) {
          continue;
        }
        metric("queue_wait_s", table.time(row) - window.from());
        for (int k = 0; k < spans.count(); k++) {
          if (spans.stage(k).equals("execution")) {
            metric("runner_wait_s", spans.start(k) - table.time(row));
            if (!spans.isOpen(k) && window.finalised()) {
              metric("post_wait_s", window.to() - spans.end(k));
            }
            return;
          }
        }
        return;
      }
    }

    private void metric(String name, long nanos) {
      Durations known = metrics.get(name);
      if (known == null) {
        if (metrics.size() >= MAX_WORDS) {
          return;
        }
        known = new Durations();
        metrics.put(name, known);
      }
      known.add(Math.max(0, nanos));
    }

    void addAll(Totals other) {
      records += other.records;
      unended += other.unended;
      addCounts(words, other.words);
      addCounts(statuses, other.statuses);
      addCounts(reasons, other.reasons);
      addCounts(ranks, other.ranks);
      addCounts(roles, other.roles);
      stages.addAll(other.stages);
      other.metrics.forEach(
          (name, d) -> metrics.computeIfAbsent(name, n -> new Durations()).addAll(d));
      other.amounts.forEach(
          (name, a) -> amounts.computeIfAbsent(name, n -> new Amounts()).addAll(a));
      errors.addAll(other.errors);
      steps.addAll(other.steps);
    }

    private static void addCounts(Map<String, Integer> into, Map<String, Integer> from) {
      from.forEach((word, n) -> into.merge(word, n, Integer::sum));
    }

    Map<String, Summary> summaries() {
      Map<String, Durations> ordered = new LinkedHashMap<>();
      TreeMap<String, Durations> others = new TreeMap<>(metrics);
      others.putAll(stages.sums());
      others.forEach(ordered::putIfAbsent);
      // Sorting for the percentiles is most of the work here.
      ordered.values().parallelStream().forEach(Durations::summary);
      Map<String, Summary> all = new LinkedHashMap<>();
      ordered.forEach((name, d) -> all.put(name, d.summary()));
      Map<String, Summary> amounts = new HashMap<>();
      this.amounts.forEach((name, a) -> amounts.put(name, a.summary()));
      return inOrder(all, amounts);
    }
  }
}
