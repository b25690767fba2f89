package io.rollscope.cli.render;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that somebody may have meant. */
public final class NearestNames {
  /** Of ten letters so many may be wrong. */
  private static final double MOST_WRONG = 0.4;

  private static final int LONGEST = 200;

  private NearestNames() {}

  private record Near(String name, double distance) {}

  /** The nearest of these names, at most so many; none where none is near. */
  public static List<String> of(String wanted, List<String> names, int most) {
    String text = wanted.toLowerCase(Locale.ROOT);
    return names.stream()
        .map(name -> new Near(name, distance(text, name.toLowerCase(Locale.ROOT))))
        .filter(near -> near.distance() <= MOST_WRONG)
        .sorted(Comparator.comparingDouble(Near::distance).thenComparing(Near::name))
        .limit(most)
        .map(Near::name)
        .toList();
  }

  /** The share of letters that differ; a part of a name is nearly the name. */
  private static double distance(String a, String b) {
    if (a.length() > LONGEST || b.length() > LONGEST) {
      return a.equals(b) ? 0 : 1;
    }
    int longer = Math.max(1, Math.max(a.length(), b.length()));
    double share = (double) edits(a, b) / longer;
    boolean part = !a.isEmpty() && (b.contains(a) || a.contains(b));
    return part ? Math.min(share, MOST_WRONG / 2) : share;
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
