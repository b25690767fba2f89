package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.steps.StepBoundaries;
import io.rollscope.core.steps.TrainingSteps;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SessionsReport.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which session went into which training step, by the best rule the data allow. */
final class SessionSteps {

  /** What came out. */
  record Result(String rule, String note, List<Step> steps, int unassigned) {}

  private int[] sessions = new int[64];
  private long[] ends = new long[64];

  /** When an end is unknown, when something of the session was last heard of. */
  private long[] lastHeard = new long[64];

  private boolean[] accepted = new boolean[64];
  private Long[] trainSteps = new Long[64];
  private Worker[] workers = new Worker[64];
  private int count;
  private long firstSubmission = Long.MAX_VALUE;

  void add(SessionSpans spans, SessionState state) {
    if (count == sessions.length) {
      int size = count * 2;
      sessions = Arrays.copyOf(sessions, size);
      ends = Arrays.copyOf(ends, size);
      accepted = Arrays.copyOf(accepted, size);
      trainSteps = Arrays.copyOf(trainSteps, size);
      lastHeard = Arrays.copyOf(lastHeard, size);
      workers = Arrays.copyOf(workers, size);
    }
    SpanTable table = spans.table();
    int s = spans.session();
    long submitted = table.submitted(s);
    long first = submitted != Nanos.UNKNOWN ? submitted : spans.earliestTime();
    if (first != Nanos.UNKNOWN) {
      firstSubmission = Math.min(firstSubmission, first);
    }
    boolean sourceFinalises = submitted != Nanos.UNKNOWN;
    sessions[count] = s;
    ends[count] = sourceFinalises ? table.finalised(s) : spans.latestTime();
    lastHeard[count] = ends[count] != Nanos.UNKNOWN ? ends[count] : spans.latestTime();
    accepted[count] = state.status() == Status.ACCEPTED || state.status() == Status.COMPLETED;
    trainSteps[count] = state.at().trainStep();
    workers[count++] = state.at().worker();
  }

  void addAll(SessionSteps other) {
    int total = count + other.count;
    if (total > sessions.length) {
      sessions = Arrays.copyOf(sessions, total);
      ends = Arrays.copyOf(ends, total);
      accepted = Arrays.copyOf(accepted, total);
      trainSteps = Arrays.copyOf(trainSteps, total);
      lastHeard = Arrays.copyOf(lastHeard, total);
      workers = Arrays.copyOf(workers, total);
    }
    System.arraycopy(other.sessions, 0, sessions, count, other.count);
    System.arraycopy(other.ends, 0, ends, count, other.count);
    System.arraycopy(other.accepted, 0, accepted, count, other.count);
    System.arraycopy(other.trainSteps, 0, trainSteps, count, other.count);
    System.arraycopy(other.lastHeard, 0, lastHeard, count, other.count);
    System.arraycopy(other.workers, 0, workers, count, other.count);
    count = total;
    firstSubmission = Math.min(firstSubmission, other.firstSubmission);
  }

  Result result(SessionsView.Input input) {
    if (input.batchSize() != null) {
      return byBatchSize(input.table(), input.batchSize());
    }
    TrainingSteps recorded = new TrainingSteps(input.barrierSpans(), submissions(input.table()));
    if (!recorded.isEmpty()) {
      return byTrainer(recorded);
    }
    boolean named = Arrays.stream(trainSteps, 0, count).anyMatch(t -> t != null);
    return named
        ? byName()
        : new Result("none", "no training steps recorded; -B N guesses them", List.of(), count);
  }

  private Result byBatchSize(SpanTable table, int batchSize) {
    StepBoundaries boundaries = new StepBoundaries();
    Map<Long, Boolean> ranks = new HashMap<>();
    for (int i = 0; i < count; i++) {
      Long rank = workers[i].rank();
      String task = table.task(sessions[i]);
      if (accepted[i] && rank != null && task != null && ends[i] != Nanos.UNKNOWN) {
        boundaries.accepted(rank, task, ends[i]);
        ranks.put(rank, true);
      }
    }
    List<Long> stepEnds = boundaries.ends(batchSize);
    TreeMap<Long, int[]> counts = new TreeMap<>();
    for (int k = 0; k < stepEnds.size(); k++) {
      counts.put((long) k, new int[2]);
    }
    int unassigned = 0;
    for (int i = 0; i < count; i++) {
      int step = ends[i] == Nanos.UNKNOWN ? -1 : StepBoundaries.stepOf(stepEnds, ends[i]);
      unassigned += assign(counts, step < 0 ? null : (long) step, i);
    }
    int each = ranks.isEmpty() ? 0 : batchSize / ranks.size();
    String note =
        each < 1
            ? "batch size " + batchSize + " is below the number of ranks, " + ranks.size()
            : stepEnds.isEmpty()
                ? "not every rank completed " + each + " tasks"
                : ranks.size() + " ranks, " + each + " tasks per rank and step";
    List<Step> steps = new ArrayList<>();
    counts.forEach((k, n) -> steps.add(step(k, stepEnds.get(k.intValue()), n)));
    return new Result("areal-batch-size", note, steps, unassigned);
  }

  private Result byTrainer(TrainingSteps recorded) {
    TreeMap<Long, int[]> counts = new TreeMap<>();
    recorded.steps().forEach(k -> counts.put(k, new int[2]));
    int unassigned = 0;
    for (int i = 0; i < count; i++) {
      Long step = ends[i] == Nanos.UNKNOWN ? null : recorded.stepOf(workers[i], ends[i]);
      unassigned += assign(counts, step, i);
    }
    List<Step> steps = new ArrayList<>();
    counts.forEach((k, n) -> steps.add(step(k, recorded.endNs(k), n)));
    return new Result("training-steps", "by the trainer's rollout spans", steps, unassigned);
  }

  private Result byName() {
    TreeMap<Long, int[]> counts = new TreeMap<>();
    Map<Long, Long> last = new HashMap<>();
    int unassigned = 0;
    for (int i = 0; i < count; i++) {
      if (trainSteps[i] != null) {
        counts.putIfAbsent(trainSteps[i], new int[2]);
        last.merge(trainSteps[i], lastHeard[i], Math::max);
      }
      unassigned += assign(counts, trainSteps[i], i);
    }
    List<Step> steps = new ArrayList<>();
    counts.forEach((k, n) -> steps.add(step(k, last.get(k), n)));
    return new Result("training-steps", "by the step each session names", steps, unassigned);
  }

  private int assign(Map<Long, int[]> counts, Long step, int i) {
    int[] n = step == null ? null : counts.get(step);
    if (n == null) {
      return 1;
    }
    n[0]++;
    n[1] += accepted[i] ? 1 : 0;
    return 0;
  }

  private Step step(long number, long endNs, int[] counts) {
    return new Step(number, Nanos.toSeconds(endNs - firstSubmission), counts[0], counts[1]);
  }

  private Map<Worker, Map<String, Long>> submissions(SpanTable table) {
    Map<Worker, Map<String, Long>> submitted = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String task = table.task(sessions[i]);
      long at = table.submitted(sessions[i]);
      if (task != null && at != Nanos.UNKNOWN) {
        submitted.computeIfAbsent(workers[i], w -> new HashMap<>()).merge(task, at, Math::min);
      }
    }
    return submitted;
  }
}
