package io.rollscope.formats.folder;

import io.rollscope.formats.scan.BadLineException;

/** Turns lines into rows. One per reading thread, used for one piece of a file after another. */
public interface LineParser {

  /** The following lines are from this file. */
  void begin(TraceFile file);

  /**
   * Takes one line, without its line end; it is well-formed UTF-8 and not blank.
   *
   * @param offset where the line is in its file
   */
  void line(byte[] buffer, int from, int to, long offset) throws BadLineException;

  /** Hands over what was read since the last call. Called in load order, one thread at a time. */
  void deliver(Runs runs);
}
