package io.rollscope.formats.areal;

import java.util.List;

/**
 * What a process tells AReaL's two tracers: the life of its sessions, and finished or instant perf
 * events. Times are in nanoseconds since the epoch.
 */
public sealed interface ArealEvent {

  /** A sample begins. Its number is unique within the process. */
  record Submitted(long session, long task, long timeNs) implements ArealEvent {}

  /** A phase of a session begins. */
  record PhaseStarted(long session, Phase phase, long timeNs) implements ArealEvent {}

  /** The newest open phase of that kind ends. */
  record PhaseEnded(long session, Phase phase, long timeNs) implements ArealEvent {}

  /** A counter of a session grows. */
  record Counted(long session, String counter, long by) implements ArealEvent {}

  /**
   * A session has its verdict.
   *
   * @param status {@code accepted}, {@code rejected}, {@code failed}, {@code dropped}
   * @param reason why, or null
   */
  record Finalised(long session, String status, String reason, long timeNs) implements ArealEvent {}

  /**
   * A piece of work that is over.
   *
   * @param exception class name of what it was left by, or null
   */
  record Scope(
      String name,
      String category,
      TracedThread thread,
      long startNs,
      long endNs,
      List<Arg> args,
      String exception)
      implements ArealEvent {}

  /** Something that happened on a thread. */
  record Instant(String name, String category, TracedThread thread, long timeNs, List<Arg> args)
      implements ArealEvent {}

  /** The three phases that AReaL knows, in the order of its rows. */
  enum Phase {
    GENERATE("generate"),
    REWARD("reward"),
    TOOLCALL("toolcall");

    private final String key;

    Phase(String key) {
      this.key = key;
    }

    /** The key in the file. */
    public String key() {
      return key;
    }
  }

  /** A thread that records perf events. */
  record TracedThread(long id, String name) {}

  /** A named value of a perf event. */
  record Arg(String name, Object value) {
    public Arg {
      if (!(value instanceof Long || value instanceof String)) {
        throw new IllegalArgumentException(name + ": " + value + " (expected: Long or String)");
      }
    }
  }
}
