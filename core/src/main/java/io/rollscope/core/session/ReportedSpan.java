package io.rollscope.core.session;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;

/** What one span says of its session; null where it says nothing. */
public interface ReportedSpan {
  long spanId();

  /** 0 for a root. */
  long parentId();

  /** Whether its source records which span caused which: a root is one then. */
  boolean recordsParents();

  Kind kind();

  long startNs();

  /** End, or {@link Nanos#OPEN}. */
  long endNs();

  Outcome outcome();

  String batch();

  Long trainStep();

  Long modelStep();

  Long futureStep();

  String task();

  String taskName();

  String workerRole();

  Long workerRank();

  /** The verdict, as it was written. */
  String status();

  /** The source's own word for where the session stands. */
  String sourceStatus();

  String reason();

  /** What went wrong with it, as text. */
  String error();

  /** What it says of its reward and of the tokens it used. */
  default RewardAndTokens rewardAndTokens() {
    return RewardAndTokens.NONE;
  }

  /** Whether it has not ended, as far as is known; a lost one will never be heard of again. */
  default boolean isUnended() {
    return endNs() == Nanos.OPEN || outcome() == Outcome.LOST;
  }

  /** Whether its end, though it carries a verdict, is not when that was given. */
  default boolean hasUndatedVerdict() {
    return false;
  }

  /** When it was last heard of. */
  default long heardNs() {
    return isUnended() ? startNs() : endNs();
  }
}
