package io.rollscope.core.stats;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What sessions counted, by name. A sum that a long cannot hold stays at its limit. */
public final class Counters {
  /** More names than this are not counted: somebody counts by something that has no end. */
  private static final int MAX_NAMES = 1_000;

  private static final int MAX_NAME_LENGTH = 200;
  private static final List<String> PREFIXES = List.of("rl.counter.", "areal.counters.");

  private final Map<String, Long> sums = new TreeMap<>();

  /** The counter an attribute of a session's span stands for, or null. */
  public static String nameOf(String attribute) {
    for (String prefix : PREFIXES) {
      int length = attribute.length() - prefix.length();
      if (attribute.startsWith(prefix) && length > 0 && length <= MAX_NAME_LENGTH) {
        return attribute.substring(prefix.length());
      }
    }
    return null;
  }

  public void add(String name, long amount) {
    if (sums.size() < MAX_NAMES || sums.containsKey(name)) {
      sums.merge(name, amount, Counters::sum);
    }
  }

  public void addAll(Map<String, Long> others) {
    others.forEach(this::add);
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    boolean overflowed = ((a ^ sum) & (b ^ sum)) < 0;
    return overflowed ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  /** By name; grows with this. */
  public Map<String, Long> sums() {
    return Collections.unmodifiableMap(sums);
  }
}
