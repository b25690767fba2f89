package io.rollscope.store.query;

import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;

/**
 * What a report is asked about.
 *
 * @param nowNs until when open spans count, in nanoseconds since the epoch
 */
public record Question(String run, Scope scope, SessionFilter filter, long nowNs) {

  /** The same at another time. */
  Question at(long timeNs) {
    return new Question(run, scope, filter, timeNs);
  }

  public static Question of(String run, Scope scope, long nowNs) {
    return new Question(run, scope, SessionFilter.NONE, nowNs);
  }
}
