package io.rollscope.simulator;

/** Refuses values that make no sense, with the value and what was expected. */
public final class Expect {
  private Expect() {}

  /** Refuses less than {@code least}. */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
    }
  }

  /** Refuses what is not above zero. */
  public static void positive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
    }
  }

  /** Refuses what is below zero. */
  public static void notNegative(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
    }
  }

  /** Refuses what is no share, 0 to 1. */
  public static void share(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to 1)");
    }
  }
}
