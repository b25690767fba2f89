package io.rollscope.core.diagnosis;

/**
 * The part of a sequence in which something happened more often than in the rest: the interval that
 * is least likely if it always happened equally often.
 *
 * @param from number of its first member
 * @param to number of the member after its last
 * @param hits how many of them it happened to
 * @param share of those in the interval
 * @param before share of those outside
 * @param surprise twice the logarithm of how much likelier two shares are than one
 */
record ShareRise(int from, int to, int hits, double share, double before, double surprise) {
  /** So that the effort does not grow with the run; a tenth of a run is found within a percent. */
  private static final int BLOCKS = 64;

  /**
   * Of 2,000 sequences drawn with one share (60 to 5,000 members, shares of 2 to 50 %), the most
   * surprising interval stays below 18 in 99 of 100.
   */
  static final double SURPRISING = 18;

  /** Only what would happen by chance once in a thousand times shows that it is over. */
  private static final double UNSURE = .001;

  /** Looks at {@code count} members in order of time; null if it never happened. */
  static ShareRise of(boolean[] hit, int count) {
    int blocks = Math.min(BLOCKS, count);
    int[] sums = new int[blocks + 1];
    for (int b = 0; b < blocks; b++) {
      sums[b + 1] = sums[b];
      for (int i = at(b, blocks, count); i < at(b + 1, blocks, count); i++) {
        sums[b + 1] += hit[i] ? 1 : 0;
      }
    }
    int all = sums[blocks];
    ShareRise best = null;
    for (int b = 0; b < blocks && all > 0; b++) {
      for (int e = b + 1; e <= blocks; e++) {
        int from = at(b, blocks, count);
        int to = at(e, blocks, count);
        int in = sums[e] - sums[b];
        int n = to - from;
        int rest = count - n;
        double share = (double) in / n;
        double before = rest == 0 ? 0 : (double) (all - in) / rest;
        if (rest > 0 && share > before) {
          double surprise = 2 * (likely(in, n) + likely(all - in, rest) - likely(all, count));
          if (best == null || surprise > best.surprise()) {
            best = new ShareRise(from, to, in, share, before, surprise);
          }
        }
      }
    }
    return best;
  }

  private static int at(int block, int blocks, int count) {
    return (int) ((long) block * count / blocks);
  }

  /** Logarithm of the likelihood of {@code hits} of {@code n} at their own share. */
  private static double likely(int hits, int n) {
    if (hits == 0 || hits == n) {
      return 0;
    }
    double p = (double) hits / n;
    return hits * Math.log(p) + (n - hits) * Math.log(1 - p);
  }

  /** Whether what came after it is too little to tell that it is over. */
  boolean lasts(int all) {
    return Math.pow(1 - share, all - to) > UNSURE;
  }

  int count() {
    return to - from;
  }
}
