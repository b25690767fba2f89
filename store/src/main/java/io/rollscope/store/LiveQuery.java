package io.rollscope.store;

import io.rollscope.core.view.Scope;

/**
 * What of a run's live board is asked for. A null filter lets everything pass.
 *
 * @param text occurs in the id of session, trace or task, or in a name
 * @param limit most rows; counts are not affected
 * @param offset rows to leave out at the beginning
 */
public record LiveQuery(
    String run,
    Scope scope,
    String status,
    String stage,
    String task,
    String worker,
    String text,
    int limit,
    int offset) {

  public static LiveQuery of(String run, Scope scope, int limit) {
    return new LiveQuery(run, scope, null, null, null, null, null, limit, 0);
  }
}
