package io.rollscope.formats.chrome;

import java.io.IOException;
import java.util.List;

/** Merges sorted runs: a heap of cursors, the one with the first record on top. */
final class Merge {
  private final RunCursor[] heap;

  /** Position of each cursor's run in the source. */
  private final int[] order;

  private int size;
  private boolean started;

  Merge(List<RunCursor> cursors) throws IOException {
    heap = new RunCursor[cursors.size()];
    order = new int[heap.length];
    for (int i = 0; i < heap.length; i++) {
      RunCursor cursor = cursors.get(i);
      if (cursor.next()) {
        heap[size] = cursor;
        order[size++] = i;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  /** Moves to the next record of all; false at the end. */
  boolean next() throws IOException {
    if (started && !heap[0].next()) {
      size--;
      heap[0] = heap[size];
      order[0] = order[size];
      heap[size] = null;
    }
    if (size == 0) {
      return false;
    }
    if (started) {
      sink(0);
    }
    started = true;
    return true;
  }

  /** The cursor at the current record. */
  RunCursor top() {
    return heap[0];
  }

  private void sink(int from) {
    RunCursor moving = heap[from];
    int movingOrder = order[from];
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size
          && heap[child + 1].isBefore(heap[child], order[child + 1] > order[child])) {
        child++;
      }
      if (!heap[child].isBefore(moving, order[child] > movingOrder)) {
        break;
      }
      heap[at] = heap[child];
      order[at] = order[child];
      at = child;
    }
    heap[at] = moving;
    order[at] = movingOrder;
  }
}
