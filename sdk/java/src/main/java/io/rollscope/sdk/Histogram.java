package io.rollscope.sdk;

import io.rollscope.sdk.internal.metric.Metric;
import java.util.List;

/** Values of which the distribution counts, like lengths or latencies. */
public final class Histogram extends Instrument {
  static final Histogram OFF = new Histogram(null, List.of());

  Histogram(Metric metric, List<String> labels) {
    super(metric, labels);
  }

  /** The same metric with one more label; all series of a metric have the same ones. */
  public Histogram with(String label, String value) {
    return isOff() ? this : new Histogram(metric(), labelsAnd(label, value));
  }

  public Histogram with(String label, long value) {
    return isOff() ? this : with(label, Long.toString(value));
  }

  /** Takes one value in, at the training step of the batch around it, if there is one. */
  public void record(double value) {
    take(value);
  }

  /** Takes one value in, at that training step. */
  public void record(double value, long trainStep) {
    if (!isOff()) {
      take(value, Long.valueOf(trainStep));
    }
  }
}
