package io.rollscope.core.view;

import io.rollscope.core.accounting.BatchTotals;
import io.rollscope.core.accounting.BatchTotals.Earned;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.steps.StepBoundaries;
import io.rollscope.core.steps.TrainingSteps;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SessionsReport.Batch;
import io.rollscope.core.view.SessionsReport.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which session went into which training step, by the best rule the data allow, and how the batches
 * did (contracts.md 5.18). Where the source names no batches, the steps are the batches.
 */
public final class SessionSteps {
  private static final Comparator<String> BATCH_ORDER =
      Comparator.comparing(String::length).thenComparing(s -> s);

  /**
   * A session.
   *
   * @param number what the caller knows it by
   * @param batch the batch it names, or null
   * @param submittedNs when it was submitted, or {@link Nanos#UNKNOWN}
   * @param finalisedNs see {@link #finalised}
   * @param heardNs when something of it was last heard of
   */
  public record Member(
      int number,
      String batch,
      long fromNs,
      long workEndNs,
      boolean unfinished,
      long submittedNs,
      long finalisedNs,
      long heardNs,
      boolean accepted,
      Long trainStep,
      Worker worker,
      String task,
      RewardAndTokens rewardAndTokens) {}

  /**
   * What came out.
   *
   * @param derived by number of the session the step that took it, if steps stand for batches
   */
  public record Result(
      String rule, String note, List<Step> steps, int unassigned, Map<Integer, Long> derived) {}

  /** Sessions that name the same step, or none. */
  private static final class NamedStep {
    int sessions;
    int accepted;
    long heardNs = Long.MIN_VALUE;
  }

  private final List<Member> members = new ArrayList<>();
  private final TreeMap<Long, NamedStep> namedSteps = new TreeMap<>();
  private int withoutStep;
  private long firstNs = Long.MAX_VALUE;
  private final Map<String, BatchTotals> named = new TreeMap<>(BATCH_ORDER);
  private final Map<String, BatchTotals> spans = new HashMap<>();

  /**
   * When a session counts as finalised, or {@link Nanos#UNKNOWN}: a source that says when sessions
   * are submitted also says when they are finalised, and before that they are in no step.
   */
  public static long finalised(long submittedNs, long finalisedNs, long latestNs) {
    return submittedNs != Nanos.UNKNOWN ? finalisedNs : latestNs;
  }

  /** The name of a derived step as a batch. */
  public static String batchOf(long step) {
    return Scope.batchOf(step, null, null);
  }

  public void add(Member session) {
    members.add(session);
    addStep(
        session.trainStep(), 1, session.accepted() ? 1 : 0, session.fromNs(), session.heardNs());
    if (session.batch() != null) {
      add(named, session.batch(), session);
    }
  }

  /**
   * Adds sessions that name the same step, where none is to be derived.
   *
   * @param trainStep null if they name none
   * @param fromNs the first start
   * @param heardNs when something of them was last heard of
   */
  public void addStep(Long trainStep, int sessions, int accepted, long fromNs, long heardNs) {
    firstNs = Math.min(firstNs, fromNs);
    if (trainStep == null) {
      withoutStep += sessions;
      return;
    }
    NamedStep step = namedSteps.computeIfAbsent(trainStep, s -> new NamedStep());
    step.sessions += sessions;
    step.accepted += accepted;
    step.heardNs = Math.max(step.heardNs, heardNs);
  }

  /** Adds the times of a session that {@link #addStep} counts. */
  public void addTimes(String batch, long fromNs, long workEndNs, boolean unfinished) {
    named.computeIfAbsent(batch, b -> new BatchTotals()).add(fromNs, workEndNs, unfinished);
  }

  /** Adds what sessions earned and used whose times {@link #addTimes} adds. */
  public void addEarned(String batch, Earned earned) {
    named.computeIfAbsent(batch, b -> new BatchTotals()).earned(earned);
  }

  private static void add(Map<String, BatchTotals> all, String batch, Member m) {
    BatchTotals totals = all.computeIfAbsent(batch, b -> new BatchTotals());
    totals.add(m.fromNs(), m.workEndNs(), m.unfinished());
    totals.earned(Earned.of(m.rewardAndTokens()));
  }

  /** The span of a batch; without sessions it is none. */
  public void span(String batch, long from, long to) {
    spans.computeIfAbsent(batch, b -> new BatchTotals()).span(from, to);
  }

  public void addAll(SessionSteps other) {
    members.addAll(other.members);
    other.namedSteps.forEach(
        (number, step) ->
            addStep(number, step.sessions, step.accepted, other.firstNs, step.heardNs));
    withoutStep += other.withoutStep;
    firstNs = Math.min(firstNs, other.firstNs);
    other.named.forEach((b, t) -> named.computeIfAbsent(b, k -> new BatchTotals()).addAll(t));
    other.spans.forEach((b, t) -> spans.computeIfAbsent(b, k -> new BatchTotals()).addAll(t));
  }

  /** How the batches did; derived steps are the batches of a run that names none. */
  public List<Batch> batches(Result result) {
    Map<String, BatchTotals> all = named;
    if (!result.derived().isEmpty()) {
      all = new TreeMap<>(BATCH_ORDER);
      for (Member m : members) {
        Long step = result.derived().get(m.number());
        if (step != null) {
          add(all, batchOf(step), m);
        }
      }
    }
    List<Batch> batches = new ArrayList<>();
    all.forEach(
        (id, totals) -> {
          BatchTotals whole = new BatchTotals();
          whole.addAll(totals);
          if (spans.containsKey(id)) {
            whole.addAll(spans.get(id));
          }
          BatchTotals.Result r = whole.result();
          batches.add(
              new Batch(
                  id,
                  r.sessions(),
                  Nanos.toSeconds(r.wallNs()),
                  r.slots(),
                  Nanos.toSeconds(r.tailNs()),
                  r.tailCost().seconds(),
                  whole.earned().reward(),
                  whole.earned().inputTokens(),
                  whole.earned().outputTokens()));
        });
    return batches;
  }

  /**
   * Tells the steps.
   *
   * @param batchSize AReaL's consumer batch size, or null to tell steps otherwise
   */
  public Result result(BarrierSpans barrierSpans, Integer batchSize) {
    if (batchSize != null) {
      return byBatchSize(batchSize);
    }
    TrainingSteps recorded = new TrainingSteps(barrierSpans, submissions());
    if (!recorded.isEmpty()) {
      return byTrainer(recorded);
    }
    return namedSteps.isEmpty()
        ? new Result(
            "none",
            "no training steps recorded; -B N guesses them",
            List.of(),
            withoutStep,
            Map.of())
        : byName();
  }

  private Result byBatchSize(int batchSize) {
    StepBoundaries boundaries = new StepBoundaries();
    Set<Long> ranks = new HashSet<>();
    for (Member m : members) {
      Long rank = m.worker().rank();
      if (m.accepted() && rank != null && m.task() != null && m.finalisedNs() != Nanos.UNKNOWN) {
        boundaries.accepted(rank, m.task(), m.finalisedNs());
        ranks.add(rank);
      }
    }
    List<Long> ends = boundaries.ends(batchSize);
    Counts counts = new Counts();
    for (int k = 0; k < ends.size(); k++) {
      counts.of(k);
    }
    for (Member m : members) {
      int step =
          m.finalisedNs() == Nanos.UNKNOWN ? -1 : StepBoundaries.stepOf(ends, m.finalisedNs());
      counts.assign(m, step < 0 ? null : (long) step);
    }
    int each = ranks.isEmpty() ? 0 : batchSize / ranks.size();
    String note =
        each < 1
            ? "batch size " + batchSize + " is below the number of ranks, " + ranks.size()
            : ends.isEmpty()
                ? "not every rank completed " + each + " tasks"
                : ranks.size() + " ranks, " + each + " tasks per rank and step";
    return counts.result("areal-batch-size", note, k -> ends.get((int) k));
  }

  private Result byTrainer(TrainingSteps recorded) {
    Counts counts = new Counts();
    recorded.steps().forEach(counts::of);
    for (Member m : members) {
      boolean known = m.finalisedNs() != Nanos.UNKNOWN;
      counts.assign(m, known ? recorded.stepOf(m.worker(), m.finalisedNs()) : null);
    }
    return counts.result("training-steps", "by the trainer's rollout spans", recorded::endNs);
  }

  private Result byName() {
    List<Step> steps = new ArrayList<>();
    namedSteps.forEach(
        (number, step) -> steps.add(step(number, step.heardNs, step.sessions, step.accepted)));
    return new Result(
        "training-steps", "by the step each session names", steps, withoutStep, Map.of());
  }

  private Step step(long number, long endNs, int sessions, int accepted) {
    return new Step(number, Nanos.toSeconds(endNs - firstNs), sessions, accepted);
  }

  private final class Counts {
    private final TreeMap<Long, int[]> byStep = new TreeMap<>();
    private final Map<Integer, Long> assigned = new HashMap<>();
    private int unassigned;

    int[] of(long step) {
      return byStep.computeIfAbsent(step, s -> new int[2]);
    }

    void assign(Member session, Long step) {
      int[] n = step == null ? null : byStep.get(step);
      if (n == null) {
        unassigned++;
        return;
      }
      n[0]++;
      n[1] += session.accepted() ? 1 : 0;
      if (named.isEmpty()) {
        assigned.put(session.number(), step);
      }
    }

    Result result(String rule, String note, StepEnd ends) {
      List<Step> steps = new ArrayList<>();
      byStep.forEach((number, n) -> steps.add(step(number, ends.of(number), n[0], n[1])));
      return new Result(rule, note, steps, unassigned, assigned);
    }
  }

  private interface StepEnd {
    long of(long step);
  }

  private Map<Worker, Map<String, Long>> submissions() {
    Map<Worker, Map<String, Long>> submitted = new HashMap<>();
    for (Member m : members) {
      if (m.task() != null && m.submittedNs() != Nanos.UNKNOWN) {
        submitted
            .computeIfAbsent(m.worker(), w -> new HashMap<>())
            .merge(m.task(), m.submittedNs(), Math::min);
      }
    }
    return submitted;
  }
}
