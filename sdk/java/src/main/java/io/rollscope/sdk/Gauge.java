package io.rollscope.sdk;

import io.rollscope.sdk.internal.metric.Metric;
import java.util.List;

/** A value as it is now, like the loss; every one is kept. */
public final class Gauge extends Instrument {
  static final Gauge OFF = new Gauge(null, List.of());

  Gauge(Metric metric, List<String> labels) {
    super(metric, labels);
  }

  /** The same metric with one more label; all series of a metric have the same ones. */
  public Gauge with(String label, String value) {
    return isOff() ? this : new Gauge(metric(), labelsAnd(label, value));
  }

  public Gauge with(String label, long value) {
    return isOff() ? this : with(label, Long.toString(value));
  }

  /** Says what it is, at the training step of the batch around it, if there is one. */
  public void set(double value) {
    take(value);
  }

  /** Says what it is, at that training step. */
  public void set(double value, long trainStep) {
    if (!isOff()) {
      take(value, Long.valueOf(trainStep));
    }
  }
}
