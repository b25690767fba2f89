package io.rollscope.store.journal;

import java.util.Comparator;

/**
 * Where a frame begins. Positions grow in the order of appending and are never used twice.
 *
 * @param file sequence number of the journal file
 * @param offset bytes from its beginning
 */
public record Position(long file, long offset) implements Comparable<Position> {
  private static final Comparator<Position> ORDER =
      Comparator.comparingLong(Position::file).thenComparingLong(Position::offset);

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
