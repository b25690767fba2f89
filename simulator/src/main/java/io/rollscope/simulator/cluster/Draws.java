package io.rollscope.simulator.cluster;

/**
 * Random numbers by name: what is drawn for one thing does not depend on what was drawn before. So
 * a fault changes nothing but what it is about.
 */
public final class Draws {
  private final long seed;

  public Draws(long seed) {
    this.seed = seed;
  }

  /** From 0 to 1, for this purpose and these numbers. */
  public double unit(String purpose, long... keys) {
    return (hash(purpose, keys) >>> 11) * 0x1.0p-53;
  }

  public boolean hits(double share, String purpose, long... keys) {
    return unit(purpose, keys) < share;
  }

  public double between(double from, double to, String purpose, long... keys) {
    return from + (to - from) * unit(purpose, keys);
  }

  /** A whole number from 0 to below {@code bound}. */
  public int below(int bound, String purpose, long... keys) {
    return (int) (unit(purpose, keys) * bound);
  }

  public double logNormal(double median, double spread, String purpose, long... keys) {
    double one = 1 - unit(purpose, keys);
    double two = unit(purpose + "'", keys);
    double normal = StrictMath.sqrt(-2 * StrictMath.log(one)) * StrictMath.cos(2 * Math.PI * two);
    return median * StrictMath.exp(spread * normal);
  }

  long hash(String purpose, long... keys) {
    long hash = mix(seed ^ purpose.hashCode() * 0x9e3779b97f4a7c15L);
    for (long key : keys) {
      hash = mix(hash + 0x9e3779b97f4a7c15L + key * 0xd1342543de82ef95L);
    }
    return hash;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
