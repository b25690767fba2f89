package io.rollscope.store.hot;

/**
 * A session, or a lane, of a run.
 *
 * @param lane whether it is a track of states and ops and no session
 */
public record SessionKey(String run, String id, boolean lane) {}
