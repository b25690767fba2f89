package io.rollscope.core.metric;

import java.util.Locale;

/** What can be wrong with metric points, and what becomes of them. */
public enum PointProblem {
  /** Kept; the exposition writes it with underscores. */
  INVALID_NAME,
  /** Kept; the exposition has only the kind that came first. */
  KIND_CONFLICT,
  /** Kept: one metric with different label names. */
  LABEL_CONFLICT,
  /** Kept, and left out of charts: NaN or infinite. */
  NOT_A_NUMBER,
  /** Refused: an increment below zero of a sum that only grows. */
  NEGATIVE_INCREMENT,
  /** Kept: earlier than another point of its series. */
  OUT_OF_ORDER,
  /** Kept: another value for a time that has one. */
  SAME_TIME,
  /** Dropped: the same point again. */
  DUPLICATE,
  /** Refused: too many label sets of one metric, or of all. */
  CARDINALITY;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
