package io.rollscope.formats.chrome;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Spreads the slices of one track over rows in which any two are either apart or one inside the
 * other, as viewers demand. Slices come in order of their start, the longer one first. The first
 * row is tried first, so what nests anyhow stays together; then the row with the tightest fit.
 */
final class Rows {

  /** Is told when a slice is over. */
  interface Closed {
    void closed(int row, int slice);
  }

  private record Top(long end, int row) implements Comparable<Top> {
    @Override
    public int compareTo(Top other) {
      return end != other.end ? Long.compare(end, other.end) : Integer.compare(row, other.row);
    }
  }

  /** The open slices of one row, the innermost last. */
  private static final class Stack {
    long[] ends = new long[4];
    int[] slices = new int[4];
    int size;

    long topEnd() {
      return ends[size - 1];
    }

    void push(long end, int slice) {
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, size * 2);
        slices = Arrays.copyOf(slices, size * 2);
      }
      ends[size] = end;
      slices[size++] = slice;
    }
  }

  private final Closed listener;
  private final Stack first = new Stack();
  private final List<Stack> others = new ArrayList<>();
  private final TreeSet<Top> tops = new TreeSet<>();
  private final PriorityQueue<Integer> free = new PriorityQueue<>();
  private long placedEnd;

  Rows(Closed listener) {
    this.listener = listener;
  }

  /**
   * Finds a row for a slice; 0 is the first.
   *
   * @param tolerance by how much it may outlast the slice around it; it is then cut to {@link
   *     #placedEnd}
   */
  int place(long start, long end, long tolerance, int slice) {
    closeUntil(start);
    if (first.size == 0 || first.topEnd() >= end - tolerance) {
      placedEnd = first.size == 0 ? end : Math.min(end, first.topEnd());
      first.push(placedEnd, slice);
      return 0;
    }
    Top around = tops.ceiling(new Top(end - tolerance, 0));
    int row;
    if (around != null) {
      row = around.row();
      tops.remove(around);
      placedEnd = Math.min(end, around.end());
    } else {
      row = freeRow();
      placedEnd = end;
    }
    others.get(row - 1).push(placedEnd, slice);
    tops.add(new Top(placedEnd, row));
    return row;
  }

  private int freeRow() {
    Integer reused = free.poll();
    if (reused != null) {
      return reused;
    }
    others.add(new Stack());
    return others.size();
  }

  /** Where the slice placed last ends. */
  long placedEnd() {
    return placedEnd;
  }

  /** Closes what is over at this time. */
  void closeUntil(long time) {
    while (first.size > 0 && first.topEnd() <= time) {
      first.size--;
      listener.closed(0, first.slices[first.size]);
    }
    while (!tops.isEmpty() && tops.first().end() <= time) {
      int row = tops.pollFirst().row();
      Stack stack = others.get(row - 1);
      stack.size--;
      listener.closed(row, stack.slices[stack.size]);
      if (stack.size > 0) {
        tops.add(new Top(stack.topEnd(), row));
      } else {
        free.add(row);
      }
    }
  }
}
