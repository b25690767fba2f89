package io.rollscope.core.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How many closed spans took how long: counts by buckets that are the same for all stages. */
public final class Distribution {
  private static final int FIRST = -12;
  private static final int LAST = 20;
  private static final long[] BOUNDS_NS = new long[LAST - FIRST + 1];

  static {
    for (int i = 0; i < BOUNDS_NS.length; i++) {
      BOUNDS_NS[i] = Math.round(Math.pow(10, (FIRST + i) / 4.0) * 1e9);
    }
  }

  private final int[] counts = new int[BOUNDS_NS.length + 1];

  /** Upper bounds of the buckets, four to a power of ten, from 1 ms to 100,000 s. */
  public static long[] boundsNs() {
    return BOUNDS_NS.clone();
  }

  /** The same in seconds. */
  public static List<Double> boundsSeconds() {
    return Arrays.stream(BOUNDS_NS).mapToObj(ns -> ns / 1e9).toList();
  }

  void add(long durationNs) {
    int place = Arrays.binarySearch(BOUNDS_NS, durationNs);
    counts[place < 0 ? -place - 1 : place]++;
  }

  void addAll(Distribution other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** One count per bucket, and at the end those above all bounds. */
  List<Integer> list() {
    List<Integer> list = new ArrayList<>(counts.length);
    for (int count : counts) {
      list.add(count);
    }
    return list;
  }
}
