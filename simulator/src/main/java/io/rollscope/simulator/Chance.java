package io.rollscope.simulator;

import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;

/** All that is random in a run. The same seed gives the same draws on every machine. */
final class Chance {
  private final SplittableRandom random;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean hits(double share) {
    return random.nextDouble() < share;
  }

  double between(double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  double logNormal(double median, double spread) {
    return median * StrictMath.exp(spread * random.nextGaussian());
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** A random UUID of version 4 as XTuner writes it: an integer of up to 39 digits. */
  String uuid() {
    long high = (random.nextLong() & ~0xf000L) | 0x4000L;
    long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
    return unsigned(high).shiftLeft(64).or(unsigned(low)).toString();
  }

  private static BigInteger unsigned(long bits) {
    return new BigInteger(Long.toUnsignedString(bits));
  }
}
