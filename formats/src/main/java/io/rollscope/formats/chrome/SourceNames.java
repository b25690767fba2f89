package io.rollscope.formats.chrome;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What processes and threads call themselves. The tracer's own lines name a pid and a tid but no
 * rank, so whom they mean is told by the other events of the same file.
 */
final class SourceNames {
  private static final String TRACER_SUFFIX = "Process";

  /**
   * Whom a line names.
   *
   * @param thread null when it names the process
   */
  record Named(int file, ProcessKey process, SourceId thread) {}

  private final Map<Named, String> lines = new LinkedHashMap<>();
  private final Map<ProcessKey, String> processes = new HashMap<>();
  private final Map<ThreadKey, String> threads = new HashMap<>();

  /** The last line on somebody counts. */
  void add(Named whom, String name) {
    lines.put(whom, name);
  }

  /** Settles who is who by the original's rule: only lines that name a rank count. */
  void settleByRank() {
    lines.forEach(
        (line, name) -> {
          if (!line.process().rank().isNone()) {
            put(line.process(), line.thread(), name);
          }
        });
  }

  /** Settles who is who by the processes seen in each file. */
  void settleByFile(Map<Integer, Set<ProcessKey>> seen) {
    lines.forEach(
        (line, name) -> {
          for (ProcessKey process : seen.getOrDefault(line.file(), Set.of())) {
            if (couldMean(line.process(), process)) {
              boolean tracers = line.thread() == null && name.endsWith(TRACER_SUFFIX);
              put(process, line.thread(), tracers ? name + " " + process.pid().label() : name);
            }
          }
        });
  }

  /** A profiler's lines give the rank but never the role. */
  private static boolean couldMean(ProcessKey line, ProcessKey process) {
    return line.pid().equals(process.pid())
        && (line.rank().isNone() || line.rank().equals(process.rank()))
        && (line.role() == null || line.role().equals(process.role()));
  }

  private void put(ProcessKey process, SourceId thread, String name) {
    if (thread == null) {
      processes.put(process, name);
    } else {
      threads.put(new ThreadKey(process, thread), name);
    }
  }

  /** Its own name, or null. */
  String own(ProcessKey process) {
    return processes.get(process);
  }

  /** Its own name, or null. */
  String own(ThreadKey thread) {
    return threads.get(thread);
  }

  /** Its own name, else one made of rank and pid. */
  String of(ProcessKey process) {
    String own = processes.get(process);
    if (own != null) {
      return own;
    }
    String rank = process.rank().label();
    String pid = process.pid().label();
    return process.role() == null
        ? "[Rank " + rank + ", Process " + pid + "]"
        : "[" + process.role() + "] Rank " + rank + ", Process " + pid;
  }

  /** Its own name, else one made of its id. */
  String of(ThreadKey thread) {
    String own = threads.get(thread);
    return own != null ? own : "[Thread " + thread.tid().label() + "]";
  }
}
