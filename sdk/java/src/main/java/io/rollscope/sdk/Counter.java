package io.rollscope.sdk;

import io.rollscope.sdk.internal.metric.Metric;
import java.util.List;

/** Something that only grows, like generated tokens. */
public final class Counter extends Instrument {
  static final Counter OFF = new Counter(null, List.of());

  Counter(Metric metric, List<String> labels) {
    super(metric, labels);
  }

  /** The same metric with one more label; all series of a metric have the same ones. */
  public Counter with(String label, String value) {
    return isOff() ? this : new Counter(metric(), labelsAnd(label, value));
  }

  public Counter with(String label, long value) {
    return isOff() ? this : with(label, Long.toString(value));
  }

  /** Adds that much, 0 or more, at the training step of the batch around it, if there is one. */
  public void add(double value) {
    take(value);
  }

  /** Adds that much, 0 or more, at that training step. */
  public void add(double value, long trainStep) {
    if (!isOff()) {
      take(value, Long.valueOf(trainStep));
    }
  }
}
