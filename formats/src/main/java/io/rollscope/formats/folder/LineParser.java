package io.rollscope.formats.folder;

/** Turns lines into rows. One per reading thread, used for one piece of a file after another. */
public interface LineParser extends LineTaker {

  /** The following lines are from this file. */
  void begin(TraceFile file);

  /** Hands over what was read since the last call. Called in load order, one thread at a time. */
  void deliver(Runs runs);
}
