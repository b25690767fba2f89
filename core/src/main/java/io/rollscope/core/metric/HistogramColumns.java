package io.rollscope.core.metric;

import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.TableFullException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Histograms by column; most have the bounds of others. */
final class HistogramColumns {
  private static final int BYTES_PER_SHAPE = 200;
  private static final int MOST_CELLS = 2_000_000_000;
  private static final int HEAD = 7;

  /**
   * What the points of a series have in common.
   *
   * @param bounds null if it is exponential
   */
  private record Shape(List<Double> bounds, int scale, double zeroThreshold) {}

  private final List<Shape> shapes = new ArrayList<>();
  private final Map<Shape, Integer> numbers = new HashMap<>();
  private final IntColumn shape = new IntColumn(0);

  /** Where the numbers of each begin in {@link #cells}. */
  private final LongColumn first = new LongColumn(0);

  /** Count, sum, zeros, offsets, how many buckets, then the buckets, positive ones first. */
  private final LongColumn cells = new LongColumn(0);

  private int count;
  private int used;

  int add(HistogramState state) {
    if (used > MOST_CELLS) {
      throw new TableFullException(
          "metrics: more than " + MOST_CELLS + " buckets of a run (expected: fewer)");
    }
    List<Double> bounds =
        state.bounds() == null ? null : Arrays.stream(state.bounds()).boxed().toList();
    Shape one = new Shape(bounds, state.scale(), state.zeroThreshold());
    Integer known = numbers.get(one);
    if (known == null) {
      known = shapes.size();
      numbers.put(one, known);
      shapes.add(one);
    }
    shape.set(count, known);
    first.set(count, used);
    put(state.count());
    put(state.sum());
    put(state.zeros());
    cells.set(used++, state.offset());
    cells.set(used++, state.negativeOffset());
    cells.set(used++, state.counts().length);
    cells.set(used++, state.negative().length);
    Arrays.stream(state.counts()).forEach(this::put);
    Arrays.stream(state.negative()).forEach(this::put);
    return count++;
  }

  private void put(double value) {
    cells.set(used++, Double.doubleToLongBits(value));
  }

  HistogramState get(int number) {
    Shape one = shapes.get(shape.get(number));
    int at = (int) first.get(number);
    int positive = (int) cells.get(at + 5);
    int negative = (int) cells.get(at + 6);
    return new HistogramState(
        cell(at),
        cell(at + 1),
        one.bounds == null ? null : one.bounds.stream().mapToDouble(b -> b).toArray(),
        cells(at + HEAD, positive),
        one.scale,
        cell(at + 2),
        one.zeroThreshold,
        (int) cells.get(at + 3),
        (int) cells.get(at + 4),
        cells(at + HEAD + positive, negative));
  }

  private double cell(int at) {
    return Double.longBitsToDouble(cells.get(at));
  }

  private double[] cells(int from, int length) {
    double[] values = new double[length];
    Arrays.setAll(values, i -> cell(from + i));
    return values;
  }

  /** Any order in which only equal ones are equal; below zero stands for none. */
  int compare(int a, int b) {
    if (a < 0 || b < 0 || a == b) {
      return a == b || (a < 0 && b < 0) ? 0 : Integer.compare(a < 0 ? 0 : 1, b < 0 ? 0 : 1);
    }
    int[] one = {shape.get(a), (int) first.get(a)};
    int[] other = {shape.get(b), (int) first.get(b)};
    int buckets = (int) (cells.get(one[1] + 5) + cells.get(one[1] + 6));
    int compared = Integer.compare(one[0], other[0]);
    for (int i = 0; compared == 0 && i < HEAD + buckets; i++) {
      compared = Long.compare(cells.get(one[1] + i), cells.get(other[1] + i));
    }
    return compared;
  }

  long bytes() {
    long bounds = shapes.stream().mapToLong(s -> s.bounds == null ? 0 : s.bounds.size()).sum();
    return shape.bytes()
        + first.bytes()
        + cells.bytes()
        + (long) BYTES_PER_SHAPE * shapes.size()
        + 24 * bounds;
  }
}
