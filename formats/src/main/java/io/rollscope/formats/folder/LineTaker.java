package io.rollscope.formats.folder;

import io.rollscope.formats.scan.BadLineException;

/** Is given the lines of a file one by one. */
@FunctionalInterface
public interface LineTaker {

  /**
   * Takes one line, without its line end; it is well-formed UTF-8 and not blank.
   *
   * @param offset where the line is in its file
   * @throws BadLineException to refuse the line, which is then counted
   */
  void line(byte[] buffer, int from, int to, long offset) throws BadLineException;
}
