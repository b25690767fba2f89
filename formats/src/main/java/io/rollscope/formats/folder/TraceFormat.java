package io.rollscope.formats.folder;

import java.util.Set;

/** A kind of trace file. A new format is one class that implements this and one line in Formats. */
public interface TraceFormat {

  /** Name for {@code --as} and messages. */
  String id();

  /** What its files look like, for the message that nothing was recognised. */
  String description();

  /** Whether a file is usually called so. */
  boolean nameMatches(String fileName);

  /** Whether a line with these top-level keys is one of this format. */
  boolean keysMatch(Set<String> keys);

  /** Id of the run a file belongs to when the lines do not say. */
  default String run(TraceFile file) {
    return RunNames.ofFolder(file.path());
  }

  /**
   * Whether its rows enter the tables only when all was read, under a run that they name, and
   * replace those of the look before.
   */
  default boolean isSettledLater() {
    return false;
  }

  /** Whether its lines become rows in tables. */
  default boolean hasRows() {
    return true;
  }

  /** A parser for one thread. */
  LineParser newParser();
}
