package io.rollscope.core.diagnosis;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.PValueMethod;

/** Statistics that single values far out do not move (docs/decisions/0019-findings.md). */
final class Robust {
  /** Makes the median absolute deviation of a normal distribution its standard deviation. */
  private static final double NORMAL = 1.4826;

  private static final MannWhitneyUTest GREATER =
      MannWhitneyUTest.withDefaults()
          .with(AlternativeHypothesis.GREATER_THAN)
          .with(PValueMethod.ASYMPTOTIC);

  private static final Median MEDIAN = Median.withDefaults().withCopy(true);
  private static final Quantile QUANTILE = Quantile.withDefaults().withCopy(true);

  private Robust() {}

  /** NaN for none. */
  static double median(double... values) {
    return MEDIAN.evaluate(values);
  }

  /** The value that this part of them does not exceed. */
  static double quantile(double[] values, double p) {
    return QUANTILE.evaluate(values, p);
  }

  /** What a standard deviation would be without those far out; 0 below two values. */
  static double spread(double... values) {
    if (values.length < 2) {
      return 0;
    }
    double middle = median(values);
    return NORMAL * median(Arrays.stream(values).map(v -> Math.abs(v - middle)).toArray());
  }

  /** How likely values as these would be greater than the others by chance; 1 if any are none. */
  static double chanceOfGreater(double[] values, double[] others) {
    return values.length == 0 || others.length == 0 ? 1 : GREATER.test(values, others).getPValue();
  }
}
