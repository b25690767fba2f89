package io.rollscope.formats.chrome;

import io.rollscope.core.steps.BarrierSpans;
import io.rollscope.core.steps.BarrierSpans.BarrierSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the first pass learns of the files: who is in them, and which ids they use. */
final class Census {
  private final Set<ThreadKey> threads = new LinkedHashSet<>();
  private final Map<Integer, Set<ProcessKey>> processesOfFile = new HashMap<>();
  private final Map<ProcessKey, Integer> generations = new LinkedHashMap<>();
  private final Map<ProcessKey, Integer> processesOfWorker = new HashMap<>();
  private final Map<ProcessKey, FlowIds> flows = new TreeMap<>(ProcessKey.ORDER);
  private final List<BarrierSpans> barriers = new ArrayList<>();
  private final SourceNames names = new SourceNames();

  /** A thread has an event in a file. Told in load order. */
  void seen(ThreadKey thread, int file) {
    threads.add(thread);
    ProcessKey process = thread.process();
    processesOfFile.computeIfAbsent(file, f -> new LinkedHashSet<>()).add(process);
    generations.computeIfAbsent(
        process, p -> processesOfWorker.merge(workerOf(p), 1, Integer::sum) - 1);
  }

  /** The process without its pid: flow ids are counted per rank and role. */
  static ProcessKey workerOf(ProcessKey process) {
    return new ProcessKey(process.rank(), process.role(), SourceId.NONE);
  }

  void addFlows(ProcessKey worker, FlowIds ids) {
    flows.computeIfAbsent(worker, w -> new FlowIds()).addAll(ids);
  }

  /**
   * A span that marks a training step. Processes of one worker that followed each other, after a
   * restart, are kept apart: they may have passed the same step twice.
   */
  void addBarrier(ProcessKey process, BarrierSpan span) {
    int generation = generations.getOrDefault(process, 0);
    while (barriers.size() <= generation) {
      barriers.add(new BarrierSpans());
    }
    barriers.get(generation).add(process.worker(), span);
  }

  /** Numbers the flow ids of all workers, from 1. */
  void numberFlows() {
    long next = 1;
    for (FlowIds ids : flows.values()) {
      next = ids.number(next);
    }
  }

  SourceNames names() {
    return names;
  }

  Set<ThreadKey> threads() {
    return threads;
  }

  /** The processes in the order first seen. */
  Set<ProcessKey> processes() {
    return generations.keySet();
  }

  /** How many processes of the same worker came before this one. */
  int generation(ProcessKey process) {
    return generations.get(process);
  }

  Map<Integer, Set<ProcessKey>> processesOfFile() {
    return processesOfFile;
  }

  List<BarrierSpans> barriers() {
    return barriers;
  }

  /** Flow ids of the process's worker, or null if it has none. */
  FlowIds flows(ProcessKey process) {
    return flows.get(workerOf(process));
  }
}
