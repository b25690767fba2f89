package io.rollscope.core.stats;

/** Stable sorting of row numbers by a primitive comparison, without boxing. */
public final class IndexSort {

  /** Compares two row numbers. */
  @FunctionalInterface
  public interface Order {
    boolean before(int left, int right);
  }

  private static final int SMALL = 16;

  private IndexSort() {}

  /** Sorts the first {@code count} entries; equal ones keep their order. */
  public static void sort(int[] indexes, int count, Order order) {
    if (count <= SMALL) {
      insertion(indexes, 0, count, order);
      return;
    }
    if (isSorted(indexes, count, order)) {
      return;
    }
    int[] scratch = new int[count];
    for (int from = 0; from < count; from += SMALL) {
      insertion(indexes, from, Math.min(from + SMALL, count), order);
    }
    int[] source = indexes;
    int[] target = scratch;
    for (long width = SMALL; width < count; width *= 2) {
      for (long from = 0; from < count; from += 2 * width) {
        int middle = (int) Math.min(from + width, count);
        int to = (int) Math.min(from + 2 * width, count);
        merge(source, target, (int) from, middle, to, order);
      }
      int[] swap = source;
      source = target;
      target = swap;
    }
    if (source != indexes) {
      System.arraycopy(source, 0, indexes, 0, count);
    }
  }

  private static boolean isSorted(int[] indexes, int count, Order order) {
    for (int i = 1; i < count; i++) {
      if (order.before(indexes[i], indexes[i - 1])) {
        return false;
      }
    }
    return true;
  }

  private static void insertion(int[] indexes, int from, int to, Order order) {
    for (int i = from + 1; i < to; i++) {
      int moving = indexes[i];
      int at = i;
      while (at > from && order.before(moving, indexes[at - 1])) {
        indexes[at] = indexes[at - 1];
        at--;
      }
      indexes[at] = moving;
    }
  }

  private static void merge(int[] source, int[] target, int from, int middle, int to, Order order) {
    int left = from;
    int right = middle;
    for (int at = from; at < to; at++) {
      boolean takeRight =
          left >= middle || (right < to && order.before(source[right], source[left]));
      target[at] = takeRight ? source[right++] : source[left++];
    }
  }
}
