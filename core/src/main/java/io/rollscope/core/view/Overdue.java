package io.rollscope.core.view;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** When open work is overdue, and which is most (contracts.md 4.10 to 4.13). */
public final class Overdue {
  private static final double FACTOR = 2;
  private static final double FLOOR_S = 5;
  private static final double DELAYS = 3;

  /** Above this a session is called stuck. */
  public static final double STUCK_S = 10;

  private Overdue() {}

  /**
   * Whether something has been open for too long, apart from what its descendants do.
   *
   * @param usualS p95 of its stage, or null
   * @param delayS how late its process reports
   */
  public static boolean isSuspect(double ageS, Double usualS, double delayS) {
    return usualS != null
        && ageS > Math.max(FACTOR * usualS, usualS + FLOOR_S)
        && ageS > DELAYS * delayS;
  }

  /**
   * Which open spans have an overdue one inside: those are not overdue by that.
   *
   * @param parents by span: the number of the open span around it, or -1
   */
  public static boolean[] above(boolean[] overdue, int[] parents, int count) {
    boolean[] above = new boolean[count];
    for (int i = 0; i < count; i++) {
      int up = overdue[i] ? parents[i] : -1;
      for (int hops = 0; up >= 0 && hops < count; hops++) {
        above[up] = true;
        up = parents[up];
      }
    }
    return above;
  }

  /** How many times its usual time something has been open; unknown ranks after all known. */
  public static double ratio(double ageS, Double usualS) {
    return usualS == null ? -1 : usualS == 0 ? Double.MAX_VALUE : ageS / usualS;
  }

  /** Most overdue first. */
  public static <T> Comparator<T> order(
      ToDoubleFunction<T> age, Function<T, Double> usual, Function<T, String> session) {
    return Comparator.comparingDouble((T t) -> ratio(age.applyAsDouble(t), usual.apply(t)))
        .thenComparingDouble(age)
        .reversed()
        .thenComparing(session);
  }
}
