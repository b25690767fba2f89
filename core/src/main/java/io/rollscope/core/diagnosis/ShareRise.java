package io.rollscope.core.diagnosis;

import java.util.Arrays;
import java.util.Objects;

/**
 * The part of a sequence in which something happened more often than in the rest: the steps whose
 * own share makes them least likely to be like the others.
 *
 * @param from number of its first member
 * @param to number of the member after its last
 * @param hits how many of them it happened to
 * @param share of those in it
 * @param before share of those outside
 * @param surprise twice the logarithm of how much likelier two shares are than one
 * @param parts into how many parts the sequence was cut
 */
record ShareRise(
    int from, int to, int hits, double share, double before, double surprise, int parts) {
  /** So that the effort does not grow with the run; a tenth of a run is found within a percent. */
  private static final int MOST_PARTS = 64;

  /** Only what would happen by chance once in a thousand times shows that it is over. */
  private static final double UNSURE = .001;

  /**
   * Of 2,000 sequences drawn with one share (60 to 5,000 members, shares of 2 to 50 %), cut into 6
   * to 64 parts, the most surprising of all intervals stays below this in 99 of 100.
   */
  private static final double SURPRISING = 8;

  private static final double SURPRISING_PER_LOG = 1.3;

  /**
   * Looks at members in order of their steps and times; null if it never happened.
   *
   * @param steps by member; where none is known, parts of equal length take their place
   */
  static ShareRise of(boolean[] hit, Long[] steps) {
    int[] cuts = cuts(steps);
    int count = hit.length;
    int parts = cuts.length - 1;
    int[] sums = new int[parts + 1];
    for (int p = 0; p < parts; p++) {
      sums[p + 1] = sums[p];
      for (int i = cuts[p]; i < cuts[p + 1]; i++) {
        sums[p + 1] += hit[i] ? 1 : 0;
      }
    }
    int all = sums[parts];
    ShareRise best = null;
    for (int p = 0; p < parts && all > 0; p++) {
      for (int q = p + 1; q <= parts; q++) {
        int n = cuts[q] - cuts[p];
        int in = sums[q] - sums[p];
        int rest = count - n;
        double share = (double) in / n;
        double before = rest == 0 ? 1 : (double) (all - in) / rest;
        if (share > before) {
          double surprise = 2 * (likely(in, n) + likely(all - in, rest) - likely(all, count));
          if (best == null || surprise > best.surprise()) {
            best = new ShareRise(cuts[p], cuts[q], in, share, before, surprise, parts);
          }
        }
      }
    }
    return best;
  }

  /** Where parts begin and the last one ends. */
  private static int[] cuts(Long[] steps) {
    int count = steps.length;
    int[] cuts = new int[count + 1];
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || !Objects.equals(steps[i], steps[i - 1])) {
        cuts[found++] = i;
      }
    }
    cuts[found] = count;
    if (found > 1 && found <= MOST_PARTS) {
      return Arrays.copyOf(cuts, found + 1);
    }
    int parts = Math.min(MOST_PARTS, count);
    int[] equal = new int[parts + 1];
    for (int p = 0; p <= parts; p++) {
      equal[p] = (int) ((long) p * count / Math.max(1, parts));
    }
    return equal;
  }

  /** Logarithm of the likelihood of {@code hits} of {@code n} at their own share. */
  private static double likely(int hits, int n) {
    if (hits == 0 || hits == n) {
      return 0;
    }
    double p = (double) hits / n;
    return hits * Math.log(p) + (n - hits) * Math.log(1 - p);
  }

  /** Whether chance alone would hardly make it. */
  boolean isSurprising() {
    double intervals = parts * (parts + 1) / 2.0;
    return surprise > SURPRISING + SURPRISING_PER_LOG * Math.log(intervals);
  }

  /** Whether what came after it is too little to tell that it is over. */
  boolean lasts(int all) {
    return Math.pow(1 - share, all - to) > UNSURE;
  }

  int count() {
    return to - from;
  }
}
