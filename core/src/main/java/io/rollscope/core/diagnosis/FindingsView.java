package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Coverage;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.RunWork.SessionWork;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.Selection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers what is wrong with a run: detectors look at its work, causes before symptoms. They look
 * at all of it, for one step is compared with others; a scope says which findings are told.
 */
public final class FindingsView {

  /** In this order: what one explains, those after it leave alone. */
  private static final List<Detector> DETECTORS =
      List.of(
          new ClockSkewDetector(),
          new DataLossDetector(),
          new DeadProcessDetector(),
          new GlobalStallDetector(),
          new HungWorkerDetector(),
          new StalledStateDetector(),
          new HungCallDetector(),
          new FailingServiceDetector(),
          new RetryStormDetector(),
          new StaleDataDetector(),
          new RejectsRisingDetector(),
          new SlowSyncDetector(),
          new UnbalancedLoadDetector(),
          new SlowWorkerDetector(),
          new SaturatedEngineDetector(),
          new SlowServiceDetector(),
          new GiantInputDetector(),
          new LongTailDetector(),
          new StarvedSidesDetector());

  /**
   * Standstills that go on, then faults by what they cost, then by when they began; balance last.
   */
  private static final Comparator<Cause> MOST_IMPORTANT =
      Comparator.comparing((Cause c) -> !(c.isOpen() && c.kind.isStandstill()))
          .thenComparing(c -> c.kind.isBalance())
          .thenComparing(c -> -known(c.cost.wallS()))
          .thenComparing(c -> -known(c.cost.slotS()))
          .thenComparingLong(c -> c.sinceNs)
          .thenComparing(c -> c.kind)
          .thenComparing(c -> c.subject.id())
          .thenComparing(c -> String.valueOf(c.stage));

  private FindingsView() {}

  /** The whole run, as of then. */
  private record Whole(long nowNs) implements Selection {
    @Override
    public Scope scope() {
      return Scope.ALL;
    }
  }

  /** Looks at the table as it is. */
  public static FindingsReport of(SpanTable table, Selection scope, ReportContext context) {
    RunWork whole = RunWorkBuilder.of(table, new Whole(scope.nowNs()));
    boolean all = scope.scope().equals(Scope.ALL) && scope.filter().isEmpty();
    RunWork work = all ? whole : RunWorkBuilder.of(table, scope);
    Causes causes = new Causes();
    for (Detector detector : DETECTORS) {
      detector.detect(whole, causes);
    }
    Map<Cause, String> ids = ids(causes.found());
    List<Finding> findings =
        causes.found().stream()
            .filter(cause -> all || isIn(work, cause))
            .sorted(MOST_IMPORTANT)
            .map(cause -> finding(cause, ids))
            .toList();
    boolean healthy = findings.stream().noneMatch(f -> f.state().equals("open"));
    return new FindingsReport(
        context.source(),
        context.run(),
        scope.scope().word(),
        Nanos.toSeconds(work.nowNs()),
        healthy,
        sentence(findings, work),
        coverage(work),
        findings,
        causes.notJudged(),
        context.otherRuns(),
        context.skippedLines());
  }

  /**
   * Whether a cause was there in a step of these sessions, or, if that is not known, in their time.
   */
  private static boolean isIn(RunWork work, Cause cause) {
    Set<Long> steps = new HashSet<>();
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (SessionWork one : work.sessions()) {
      if (!one.lane()) {
        steps.add(one.step());
        from = Math.min(from, one.fromNs());
        to = Math.max(to, one.toNs());
      }
    }
    steps.remove(null);
    if (!steps.isEmpty() && !cause.steps.isEmpty()) {
      return !Collections.disjoint(steps, cause.steps);
    }
    return cause.sinceNs <= to && (cause.isOpen() || cause.untilNs >= from);
  }

  private static String sentence(List<Finding> findings, RunWork work) {
    if (work.sessions().isEmpty()) {
      return "Nothing can be judged: nothing is in scope.";
    }
    if (findings.isEmpty()) {
      return "Nothing needs attention.";
    }
    int over = findings.size();
    return findings.stream()
        .filter(f -> f.state().equals("open"))
        .findFirst()
        .map(Finding::sentence)
        .orElse(
            "Nothing needs attention now. "
                + (over == 1 ? "One finding is over." : over + " findings are over."));
  }

  private static double known(Double cost) {
    return cost == null ? 0 : cost;
  }

  private static Coverage coverage(RunWork work) {
    boolean tokens = false;
    boolean queues = false;
    for (int i = 0; i < work.callCount() && !(tokens && queues); i++) {
      tokens |= work.outputTokens(i) >= 0;
      queues |= work.queuedNs(i) >= 0;
    }
    return new Coverage(
        work.sessions().stream().anyMatch(s -> s.group() != null),
        work.table().hasParents(),
        !work.processes().isEmpty(),
        tokens,
        queues,
        (int)
            work.sessions().stream().map(s -> s.step()).distinct().filter(s -> s != null).count());
  }

  /** The same kind of the same subject is counted in the order of time. */
  private static Map<Cause, String> ids(List<Cause> causes) {
    List<Cause> all = new ArrayList<>(causes);
    causes.forEach(cause -> all.addAll(cause.absorbed));
    all.sort(Comparator.comparingLong((Cause c) -> c.sinceNs).thenComparing(MOST_IMPORTANT));
    Map<String, Integer> openings = new HashMap<>();
    Map<Cause, String> ids = new HashMap<>();
    for (Cause cause : all) {
      String name = cause.kind.word() + "/" + cause.subject.id();
      ids.put(cause, name + "/" + openings.merge(name, 1, Integer::sum));
    }
    return ids;
  }

  private static Finding finding(Cause cause, Map<Cause, String> ids) {
    return new Finding(
        ids.get(cause),
        cause.kind.word(),
        cause.isOpen() ? "open" : "closed",
        cause.subject,
        cause.stage,
        List.copyOf(cause.steps),
        Nanos.toSeconds(cause.sinceNs),
        cause.isOpen() ? null : (Double) Nanos.toSeconds(cause.untilNs),
        cause.cost,
        cause.confidence,
        cause.sentence,
        List.copyOf(cause.evidence),
        cause.victims,
        cause.advice,
        cause.absorbed.stream().map(ids::get).toList());
  }
}
