package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.RunWork.SessionWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The training steps of a run, in order of time: as the trainer recorded them, else one for each
 * batch of sessions. The first is a warm-up: caches are cold and graphs are compiled then.
 */
final class RunSteps {
  static final int NONE = -1;

  /** Clocks of hosts that are kept by NTP agree within this. */
  private static final long CLOCKS_NS = 100_000_000;

  /**
   * A step.
   *
   * @param number as the trainer counts, or the place of a batch without a number
   * @param waitNs when the trainer began to wait for rollouts
   * @param readyNs when its batch was complete: the trainer's last wait for rollouts ended
   * @param toNs when it ended, or now
   * @param syncNs how long the weight sync took in it
   * @param ended whether it is over
   */
  record Step(
      long number, long fromNs, long waitNs, long readyNs, long toNs, long syncNs, boolean ended) {
    long waitedNs() {
      return readyNs - waitNs;
    }

    long wallNs() {
      return toNs - fromNs;
    }
  }

  /** What a lane of the trainer did in one step. */
  private static final class Draft {
    long from = Long.MAX_VALUE;
    long wait = Long.MAX_VALUE;
    long ready = Long.MIN_VALUE;
    long to = Long.MIN_VALUE;
    boolean open;
    boolean endsInWait;
    final Map<SessionWork, Long> syncs = new HashMap<>();

    Step step(long number) {
      long sync = syncs.values().stream().mapToLong(Long::longValue).max().orElse(0);
      return new Step(
          number,
          from,
          Math.max(from, Math.min(wait, ready)),
          Math.max(from, ready),
          to,
          sync,
          !open && !endsInWait);
    }
  }

  private final RunWork work;
  private final List<Step> steps = new ArrayList<>();
  private final boolean byTrainer;
  private final int[] ofSession;
  private final long[] starts;

  RunSteps(RunWork work) {
    this.work = work;
    this.ofSession = new int[work.sessions().size()];
    Arrays.fill(ofSession, NONE);
    readTrainer();
    byTrainer = !steps.isEmpty();
    if (byTrainer) {
      assignToTrainer();
    } else {
      readBatches();
    }
    starts = steps.stream().mapToLong(Step::fromNs).toArray();
  }

  /** Whether a stage is the trainer's wait for rollouts. */
  static boolean isWait(String stage) {
    String word = stage.toLowerCase(Locale.ROOT);
    return word.equals("train.rollout") || (word.contains("wait") && word.contains("rollout"));
  }

  /** Whether a stage brings new weights to the engines. */
  static boolean isSync(String stage) {
    String word = stage.toLowerCase(Locale.ROOT);
    return word.contains("weight")
        && (word.contains("sync") || word.contains("update") || word.contains("broadcast"));
  }

  private static boolean isTraining(String stage) {
    return stage.toLowerCase(Locale.ROOT).startsWith("train");
  }

  private void readTrainer() {
    TreeMap<Long, Draft> drafts = new TreeMap<>();
    for (SessionWork lane : work.sessions()) {
      if (lane.lane() && !work.table().hasRelativeClock(lane.number()) && isTrainer(lane)) {
        for (int i = lane.firstCall(); i < lane.firstCall() + lane.calls(); i++) {
          Long number = work.at(i).trainStep();
          if (number != null && work.parent(i) == RunWork.NONE) {
            addTrainer(drafts.computeIfAbsent(number, n -> new Draft()), lane, i);
          }
        }
      }
    }
    List<Map.Entry<Long, Draft>> inOrder = new ArrayList<>(drafts.entrySet());
    inOrder.sort(Comparator.comparingLong(e -> e.getValue().from));
    boolean waits = inOrder.stream().anyMatch(e -> e.getValue().ready != Long.MIN_VALUE);
    long before = firstSessionNs();
    for (int k = 0; k < inOrder.size(); k++) {
      Draft draft = inOrder.get(k).getValue();
      if (!waits) {
        // It tells only of its own work: what lies before that was the wait.
        draft.ready = draft.from;
        draft.from = Math.min(draft.from, before);
        draft.wait = draft.from;
      }
      before = draft.to;
      boolean last = k == inOrder.size() - 1;
      draft.open &= last;
      draft.endsInWait &= last;
      steps.add(draft.step(inOrder.get(k).getKey()));
    }
  }

  private long firstSessionNs() {
    return work.sessions().stream()
        .filter(s -> !s.lane() && s.calls() > 0)
        .mapToLong(s -> s.fromNs() + s.queueNs())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private boolean isTrainer(SessionWork lane) {
    for (int i = lane.firstCall(); i < lane.firstCall() + lane.calls(); i++) {
      if (isWait(work.stage(i)) || isTraining(work.stage(i))) {
        return true;
      }
    }
    return false;
  }

  private void addTrainer(Draft draft, SessionWork lane, int call) {
    long end = work.end(call);
    draft.from = Math.min(draft.from, work.start(call));
    draft.open |= work.isOpen(call);
    if (end > draft.to) {
      draft.to = end;
      draft.endsInWait = isWait(work.stage(call));
    }
    if (isWait(work.stage(call))) {
      draft.wait = Math.min(draft.wait, work.start(call));
      draft.ready = Math.max(draft.ready, end);
    }
    if (isSync(work.stage(call))) {
      draft.syncs.merge(lane, work.duration(call), Long::sum);
    }
  }

  private void assignToTrainer() {
    Map<Long, Integer> byNumber = new HashMap<>();
    for (int k = 0; k < steps.size(); k++) {
      byNumber.put(steps.get(k).number(), k);
    }
    for (int s = 0; s < ofSession.length; s++) {
      SessionWork one = work.sessions().get(s);
      if (!one.lane() && one.calls() > 0) {
        ofSession[s] = one.step() == null ? consumer(one) : byNumber.getOrDefault(one.step(), NONE);
      }
    }
  }

  /** A session that names no step went into the first whose batch was complete after it. */
  private int consumer(SessionWork one) {
    for (int k = 0; k < steps.size(); k++) {
      if (one.ownEndNs() <= steps.get(k).readyNs()) {
        return k;
      }
    }
    return NONE;
  }

  private void readBatches() {
    Map<Object, Draft> drafts = new HashMap<>();
    Map<Draft, Long> numbers = new HashMap<>();
    for (SessionWork one : work.sessions()) {
      Object key = key(one);
      if (key != null) {
        Draft draft = drafts.computeIfAbsent(key, k -> new Draft());
        numbers.put(draft, one.step());
        draft.from = Math.min(draft.from, one.fromNs() + one.queueNs());
        draft.wait = draft.from;
        draft.ready = Math.max(draft.ready, one.ownEndNs());
        draft.to = draft.ready;
        draft.open |= one.status().isUnfinished();
      }
    }
    List<Draft> inOrder = new ArrayList<>(drafts.values());
    inOrder.sort(Comparator.comparingLong((Draft d) -> d.from).thenComparingLong(d -> d.to));
    Map<Draft, Integer> places = new HashMap<>();
    for (Draft draft : inOrder) {
      Long number = numbers.get(draft);
      places.put(draft, steps.size());
      steps.add(draft.step(number == null ? steps.size() : number));
    }
    for (int s = 0; s < ofSession.length; s++) {
      Object key = key(work.sessions().get(s));
      ofSession[s] = key == null ? NONE : places.get(drafts.get(key));
    }
  }

  private static Object key(SessionWork one) {
    return one.lane() || one.calls() == 0 ? null : one.step() != null ? one.step() : one.batch();
  }

  // ---- asking ----------------------------------------------------------------------------------

  int count() {
    return steps.size();
  }

  Step get(int index) {
    return steps.get(index);
  }

  long number(int index) {
    return steps.get(index).number();
  }

  /** Whether the trainer itself recorded them. */
  boolean areRecorded() {
    return byTrainer;
  }

  /** The step that a session is meant for, by its place in the run's list; or {@link #NONE}. */
  int ofSession(int session) {
    return ofSession[session];
  }

  /**
   * The same, counted on beyond the last recorded step: asynchronous runs prepare steps that have
   * not begun.
   */
  int intendedFor(int session) {
    Long number = work.sessions().get(session).step();
    if (ofSession[session] != NONE || number == null || steps.isEmpty()) {
      return ofSession[session];
    }
    long beyond = number - steps.get(steps.size() - 1).number();
    return beyond > 0 && beyond < Integer.MAX_VALUE / 2 ? steps.size() - 1 + (int) beyond : NONE;
  }

  /** The step in which a call began: the trainer's at that moment, else that of its session. */
  int ofCall(int call) {
    return byTrainer ? at(work.start(call)) : ofSession[work.sessionNumber(call)];
  }

  /** The step that was running then, as far as clocks agree; before the first the first. */
  int at(long ns) {
    if (starts.length == 0) {
      return NONE;
    }
    int found = Arrays.binarySearch(starts, ns + CLOCKS_NS);
    return Math.max(0, found >= 0 ? found : -found - 2);
  }

  /** Whether a step is not to be blamed for being slow. */
  boolean isWarmUp(int index) {
    return index == 0 && steps.size() > 1;
  }

  /** Whether sessions of later steps begin before a step is over. */
  boolean isAsynchronous() {
    int early = 0;
    int all = 0;
    for (int s = 0; s < ofSession.length; s++) {
      if (byTrainer && ofSession[s] > 0) {
        all++;
        early += at(work.sessions().get(s).fromNs()) < ofSession[s] ? 1 : 0;
      }
    }
    // A tenth: a synchronous run may prepare its next prompts a little early.
    return early * 10 > all;
  }
}
