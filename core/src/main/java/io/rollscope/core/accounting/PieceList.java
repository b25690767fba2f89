package io.rollscope.core.accounting;

import io.rollscope.core.stats.IndexSort;
import java.util.Arrays;

/** Pieces of a session's time, brought into order. The object is a buffer. */
public final class PieceList implements Pieces {
  private int[] leaf = new int[64];
  private long[] from = new long[64];
  private long[] to = new long[64];
  private int[] order = new int[64];
  private int count;

  /** Forgets the session before. */
  public void clear() {
    count = 0;
  }

  @Override
  public void piece(int span, long since, long until) {
    if (count == leaf.length) {
      int size = 2 * count;
      leaf = Arrays.copyOf(leaf, size);
      from = Arrays.copyOf(from, size);
      to = Arrays.copyOf(to, size);
      order = Arrays.copyOf(order, size);
    }
    leaf[count] = span;
    from[count] = since;
    to[count] = until;
    order[count] = count;
    count++;
  }

  /** Tells all in order of time, neighbours of one span or wait as one. */
  public void tell(Pieces listener) {
    IndexSort.sort(order, count, (a, b) -> from[a] < from[b]);
    int next;
    for (int n = 0; n < count; n = next) {
      int first = order[n];
      long until = to[first];
      next = n + 1;
      while (next < count && leaf[order[next]] == leaf[first] && from[order[next]] == until) {
        until = to[order[next++]];
      }
      listener.piece(leaf[first], from[first], until);
    }
  }
}
