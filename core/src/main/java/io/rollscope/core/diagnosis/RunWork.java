package io.rollscope.core.diagnosis;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work of a run as detectors look at it: sessions, and calls by number. A call is a span that
 * is work, of a session or of a process (a lane). The calls of a session stand together, in order
 * of their starts. Nothing changes it.
 */
public final class RunWork {
  /** How the number of a call that is not there reads. */
  static final int NONE = CallColumns.NONE;

  private final SpanTable table;
  private final CallColumns calls;
  private final List<SessionWork> sessions;
  private final int[] sessionOf;
  private final BitSet around;
  private final long nowNs;
  private OpenWork open;

  /** By number of a name and of coordinates: the stage and the worker, by numbers of their own. */
  private final int[] stageOfName;

  private final int[] workerOfPlace;
  private final List<String> stages = new ArrayList<>();
  private final List<String> workers = new ArrayList<>();
  private RunSteps steps;
  private Paces paces;
  private Replay replay;

  /**
   * One session, or one lane of a process.
   *
   * @param number its number in the table
   * @param lane whether it is the work of a process
   * @param group its siblings have the same; null if none are known
   * @param batch or null
   * @param step the training step it is meant for, or null
   * @param workEndNs when its last span ended, or now
   * @param ownEndNs when it was done by itself; what follows may be a wait for siblings
   * @param barrierNs how long it has waited for the end of its batch
   * @param firstCall number of its first call
   * @param calls how many it has
   */
  record SessionWork(
      int number,
      String id,
      boolean lane,
      Status status,
      String reason,
      Group group,
      String task,
      String taskName,
      String batch,
      Long step,
      Worker worker,
      long fromNs,
      long toNs,
      long queueNs,
      long workEndNs,
      long ownEndNs,
      long barrierNs,
      int firstCall,
      int calls) {}

  RunWork(SpanTable table, CallColumns calls, List<SessionWork> sessions, long nowNs) {
    this.table = table;
    this.calls = calls;
    this.sessions = List.copyOf(sessions);
    this.nowNs = nowNs;
    this.sessionOf = new int[calls.count()];
    this.around = new BitSet(calls.count());
    for (int i = 0; i < calls.count(); i++) {
      if (calls.parent(i) != NONE) {
        around.set(calls.parent(i));
      }
    }
    for (int s = 0; s < sessions.size(); s++) {
      SessionWork one = sessions.get(s);
      for (int i = one.firstCall(); i < one.firstCall() + one.calls(); i++) {
        sessionOf[i] = s;
      }
    }
    Map<String, Integer> known = new HashMap<>();
    this.stageOfName = new int[table.nameCount()];
    for (int name = 0; name < stageOfName.length; name++) {
      stageOfName[name] = number(known, stages, table.nameOf(name).stage());
    }
    known.clear();
    this.workerOfPlace = new int[table.coordinatesCount()];
    for (int place = 0; place < workerOfPlace.length; place++) {
      String worker = workerId(table.coordinatesOf(place).worker());
      workerOfPlace[place] = worker == null ? NONE : number(known, workers, worker);
    }
  }

  private static int number(Map<String, Integer> known, List<String> words, String word) {
    return known.computeIfAbsent(
        word,
        w -> {
          words.add(w);
          return words.size() - 1;
        });
  }

  /** Until when open work counts. */
  long nowNs() {
    return nowNs;
  }

  SpanTable table() {
    return table;
  }

  /** Sessions and lanes, by their numbers in the table. */
  List<SessionWork> sessions() {
    return sessions;
  }

  /** What each process said of itself last; of most sources none. */
  Collection<ProcessSign> processes() {
    return table.processes();
  }

  // ---- what several detectors need, made when first asked for ---------------------------------

  /** What is open in it. */
  OpenWork open() {
    open = open == null ? new OpenWork(this) : open;
    return open;
  }

  RunSteps steps() {
    steps = steps == null ? new RunSteps(this) : steps;
    return steps;
  }

  Paces paces() {
    paces = paces == null ? new Paces(this) : paces;
    return paces;
  }

  Replay replay() {
    replay = replay == null ? new Replay(this) : replay;
    return replay;
  }

  // ---- calls -----------------------------------------------------------------------------------

  int callCount() {
    return calls.count();
  }

  SessionWork session(int call) {
    return sessions.get(sessionOf[call]);
  }

  /** The place of its session in {@link #sessions}. */
  int sessionNumber(int call) {
    return sessionOf[call];
  }

  /** Number of its name; calls of one name are of one stage. */
  int name(int call) {
    return calls.name(call);
  }

  String stage(int call) {
    return table.nameOf(calls.name(call)).stage();
  }

  int stageNumber(int call) {
    return stageOfName[calls.name(call)];
  }

  int stageCount() {
    return stages.size();
  }

  String stageName(int number) {
    return stages.get(number);
  }

  /** Number of where it ran, or {@link #NONE}. */
  int workerNumber(int call) {
    return workerOfPlace[table.coordinates(calls.row(call))];
  }

  /** A worker as findings name it. */
  String workerName(int number) {
    return workers.get(number);
  }

  int workerCount() {
    return workers.size();
  }

  Coordinates at(int call) {
    return table.coordinatesOf(table.coordinates(calls.row(call)));
  }

  Worker worker(int call) {
    return at(call).worker();
  }

  /** The row of the table that tells most of it. */
  int row(int call) {
    return calls.row(call);
  }

  /** The call around it in the same session, or {@link #NONE}. */
  int parent(int call) {
    return calls.parent(call);
  }

  /** Whether other calls are inside it. */
  boolean hasCallInside(int call) {
    return around.get(call);
  }

  long start(int call) {
    return calls.start(call);
  }

  /** When it ended; {@link #nowNs} for one that has not. */
  long end(int call) {
    return calls.end(call) == Nanos.OPEN ? Math.max(calls.start(call), nowNs) : calls.end(call);
  }

  long duration(int call) {
    return end(call) - start(call);
  }

  /** Time in which it was what its session waited for, and no call inside it was. */
  long own(int call) {
    return calls.own(call);
  }

  Outcome outcome(int call) {
    return calls.outcome(call);
  }

  /** Whether it has not ended and its process is not known to be dead. */
  boolean isOpen(int call) {
    return calls.outcome(call) == Outcome.OPEN;
  }

  /** Error text, or null. */
  String error(int call) {
    return calls.outcome(call) == Outcome.ERROR
        ? table.noteText(table.note(calls.row(call)))
        : null;
  }

  /** Tokens it read; -1 if it does not say. */
  long inputTokens(int call) {
    return table.inputTokens(calls.row(call));
  }

  /** Tokens it wrote; -1 if it does not say. */
  long outputTokens(int call) {
    return table.outputTokens(calls.row(call));
  }

  /** How long it waited in the queue of its engine; -1 if it does not say. */
  long queuedNs(int call) {
    long ns = table.queuedNs(calls.row(call));
    return ns == Nanos.UNKNOWN ? -1 : Math.min(Math.max(0, ns), duration(call));
  }

  // ---- words -----------------------------------------------------------------------------------

  /** A worker as findings name it: {@code engine:3}; null if nothing is known of it. */
  static String workerId(Worker worker) {
    if (worker.role() == null || worker.rank() == null) {
      return worker.label();
    }
    return worker.role() + ":" + worker.rank();
  }
}
