package io.rollscope.cli.terminal;

import io.rollscope.core.view.LiveReport;
import java.io.IOException;

/** Something that goes on, looked at again and again. */
public interface LiveSource extends AutoCloseable {

  /** Takes in what is new; true if anything was. */
  boolean poll() throws IOException;

  /** The state as of now, with at most so many sessions. */
  LiveReport report(int maxRows) throws IOException;

  @Override
  default void close() {}

  /** What keeps it from being up to date, or null. */
  default String trouble() {
    return null;
  }
}
