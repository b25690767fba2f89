package io.rollscope.core.diagnosis;

import java.util.Locale;

/** What can be wrong with a run. The list is closed and the words are fixed. */
public enum FindingKind {
  /** One call has been open far longer than usual while its process lives, and others wait. */
  HUNG_CALL,
  /** All open calls of one worker stopped moving at one instant, and others go on. */
  HUNG_WORKER,
  /** A process ended or went silent with open work. */
  DEAD_PROCESS,
  /** Most open work stopped at one instant. */
  GLOBAL_STALL,
  /** A worker's calls take longer than those of the others for comparable work. */
  SLOW_WORKER,
  /** A stage is slower for everybody than before. */
  SLOW_SERVICE,
  /** Errors of a stage rose. */
  FAILING_SERVICE,
  /** Attempts per session rose. */
  RETRY_STORM,
  /** Few sessions generate far more than the rest, and none is slow per token. */
  LONG_TAIL,
  /** Inputs explain the slow sessions. */
  GIANT_INPUT,
  /** The weight sync takes longer than before, or dominates. */
  SLOW_SYNC,
  /** The trainer waits for rollouts. */
  STARVED_TRAINER,
  /** Engines wait for the trainer. */
  STARVED_ROLLOUT,
  /** Requests queue in an engine: a call's time is mostly queue. */
  SATURATED_ENGINE,
  /** Few workers get most of the work. */
  UNBALANCED_LOAD,
  /** Samples older than the allowed policy lag are used or dropped. */
  STALE_DATA,
  /** A growing share is rejected or dropped. */
  REJECTS_RISING,
  /** A host's clock disagrees with the others. */
  CLOCK_SKEW,
  /** Records are missing: what is shown may be wrong. */
  DATA_LOSS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The word used in reports and on the wire. */
  public String word() {
    return word;
  }

  /** Whether something has come to a standstill: that is told before all that is only slow. */
  public boolean isStandstill() {
    return this == HUNG_CALL || this == HUNG_WORKER || this == DEAD_PROCESS || this == GLOBAL_STALL;
  }

  /** Whether it describes how a run is balanced, faults or none: that is told after all faults. */
  public boolean isBalance() {
    return this == STARVED_TRAINER || this == STARVED_ROLLOUT;
  }
}
