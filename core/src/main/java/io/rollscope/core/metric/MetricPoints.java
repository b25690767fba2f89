package io.rollscope.core.metric;

/**
 * Gives the points of a run, reduced to what lines are made of. It decides nothing: what becomes of
 * the points is up to who asks.
 *
 * @param <E> what goes wrong when points are read
 */
public interface MetricPoints<E extends Exception> {

  /**
   * Where points lie.
   *
   * @param firstSeries least number of a series that has any
   * @param lastSeries greatest
   * @param firstStep null if none belongs to a step
   * @param lastStep likewise
   */
  record Extent(
      long firstNs,
      long lastNs,
      long firstSeries,
      long lastSeries,
      Long firstStep,
      Long lastStep) {}

  /** A series at one place of an axis: what its points there have in common. */
  record At(int group, long series, long place) {}

  /** Takes gauges. */
  @FunctionalInterface
  interface GaugeTaker {
    /**
     * @param value mean over time, or the last one of a step; NaN if there is none
     * @param ended whether the series ended there
     */
    void take(At at, double value, double min, double max, boolean ended);
  }

  /** Takes counters. */
  interface CounterTaker {
    /**
     * @param startNs since when it counts; 0 when unknown
     * @param timeNs of the last point
     * @param last value of that point
     * @param most greatest value
     */
    void stood(At at, long startNs, long timeNs, double last, double most);

    /** Increments, added up. */
    void grew(At at, double increments);
  }

  /** Takes where histograms stood at the end of a place. */
  @FunctionalInterface
  interface HistogramTaker {
    void take(At at, long startNs, long timeNs, HistogramState state);
  }

  /** What was observed at a place. */
  @FunctionalInterface
  interface ObservedAt {
    Observations of(int group, long place);
  }

  /** Where the points of a metric lie; null if the window has none. */
  Extent extent(String name, PointWindow window) throws E;

  /** The median of how far apart two points after each other are, in two series; 0 if unknown. */
  long usualDistanceNs(String name, PointWindow window, long series, long other) throws E;

  /** The greatest step before this one that a metric has points of, or null. */
  Long lastStepBefore(String name, long step) throws E;

  /** By group, then place, then series. */
  void gauges(String name, PointWindow window, ChartGroups groups, ChartGrid grid, GaugeTaker taker)
      throws E;

  /** By series, then time; the values that are finite. */
  void counters(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, CounterTaker taker)
      throws E;

  /** Those that do not tell increments, by series, then time. */
  void histograms(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, HistogramTaker taker)
      throws E;

  /** Increments of histograms, added to what was observed where they are. */
  void increments(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, ObservedAt observed)
      throws E;
}
