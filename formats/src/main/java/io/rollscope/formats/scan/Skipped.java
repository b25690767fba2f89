package io.rollscope.formats.scan;

import java.util.ArrayList;
import java.util.List;

/** What was refused while reading: how much, and the first examples. Bounded, whatever comes. */
public final class Skipped {
  private static final int MAX_EXAMPLES = 20;

  /**
   * One refused line.
   *
   * @param line number from 1; 0 when the file as a whole was refused
   */
  public record Example(String file, long line, String reason) {}

  private long count;
  private final List<Example> examples = new ArrayList<>();

  public void add(String file, long line, String reason) {
    count++;
    if (examples.size() < MAX_EXAMPLES) {
      examples.add(new Example(file, line, reason));
    }
  }

  /** Says more of the line added last. */
  public void explainLast(String prefix) {
    if (count == examples.size()) {
      Example last = examples.remove(examples.size() - 1);
      examples.add(new Example(last.file(), last.line(), prefix + last.reason()));
    }
  }

  /** Adds those of a piece of a file whose first line has number {@code firstLine}. */
  public void addShifted(Skipped piece, long firstLine) {
    for (Example e : piece.examples) {
      if (examples.size() < MAX_EXAMPLES) {
        examples.add(new Example(e.file(), e.line() + firstLine - 1, e.reason()));
      }
    }
    count += piece.count;
  }

  public void clear() {
    count = 0;
    examples.clear();
  }

  public long count() {
    return count;
  }

  public List<Example> examples() {
    return List.copyOf(examples);
  }
}
