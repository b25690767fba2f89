package io.rollscope.core.view;

import io.rollscope.core.time.Nanos;

/** Which part of a run a view looks at, and as of when. */
public interface Selection {
  Scope scope();

  /** Which sessions of the scope. */
  default SessionFilter filter() {
    return SessionFilter.NONE;
  }

  /** Until when open work counts; {@link Nanos#UNKNOWN} for the last event. */
  default long nowNs() {
    return Nanos.UNKNOWN;
  }
}
