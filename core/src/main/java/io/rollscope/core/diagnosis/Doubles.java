package io.rollscope.core.diagnosis;

import java.util.Arrays;

/** A growing list of numbers. */
final class Doubles {
  private double[] values = new double[16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  void addAll(Doubles others) {
    for (int i = 0; i < others.size; i++) {
      add(others.values[i]);
    }
  }

  int size() {
    return size;
  }

  double[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** NaN for none. */
  double median() {
    return Robust.median(toArray());
  }
}
