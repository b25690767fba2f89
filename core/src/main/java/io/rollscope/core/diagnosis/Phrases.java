package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Cost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** How numbers and steps are written in the sentences of findings. */
final class Phrases {
  private Phrases() {}

  /** {@code step 3}, {@code steps 2–5}, {@code steps 1, 4 and 7–9}. */
  static String steps(Collection<Long> numbers) {
    List<String> spans = new ArrayList<>();
    Long from = null;
    Long to = null;
    for (Long n : new TreeSet<>(numbers)) {
      if (from != null && n == to + 1) {
        to = n;
        continue;
      }
      addSpan(spans, from, to);
      from = n;
      to = n;
    }
    addSpan(spans, from, to);
    return (numbers.size() == 1 ? "step " : "steps ") + joined(spans);
  }

  private static void addSpan(List<String> spans, Long from, Long to) {
    if (from != null) {
      spans.add(from.equals(to) ? from.toString() : from + (to == from + 1 ? ", " : "–") + to);
    }
  }

  private static String joined(List<String> parts) {
    int last = parts.size() - 1;
    return last < 1
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /**
   * A number of two or three digits that matter: {@code 268}, {@code 66}, {@code 2.1}, {@code
   * 0.041}.
   */
  static String number(double value) {
    double size = Math.abs(value);
    int digits = size >= 10 ? 0 : size >= 1 ? 1 : size >= 0.1 ? 2 : size >= 0.001 ? 3 : 5;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** How many times as long: {@code 1.16}, {@code 2.4}, {@code 10}. */
  static String ratio(double value) {
    return value < 2 ? String.format(Locale.ROOT, "%.2f", value) : number(value);
  }

  static String seconds(double value) {
    return number(value) + " s";
  }

  static String percent(double part) {
    return Math.round(part * 100) + " %";
  }

  /** {@code " It costs about 66 s per step."}, or that it cannot be told, or nothing. */
  static String cost(Cost cost, int steps, boolean open) {
    if (cost.wallS() == null) {
      return "";
    }
    double each = cost.wallS() / Math.max(1, steps);
    String verb = open ? "costs" : "cost";
    // Less than this per step is within what a trainer's own clock resolves.
    if (each < 0.05) {
      return " It " + verb + " no time of the run.";
    }
    return " It " + verb + " about " + seconds(each) + (steps > 1 ? " per step." : ".");
  }
}
