package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import java.io.IOException;

/** Where a simulated run goes, as it happens. */
public interface Sink {

  /** Something happened to a session, and a process recorded it. */
  void session(long pid, Event event) throws IOException;

  /** A trainer finished a piece of work. */
  void training(TrainingSpan span) throws IOException;
}
