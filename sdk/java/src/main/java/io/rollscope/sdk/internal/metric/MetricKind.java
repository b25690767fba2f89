package io.rollscope.sdk.internal.metric;

/** What a metric is. */
public enum MetricKind {
  COUNTER("counter"),
  GAUGE("gauge"),
  HISTOGRAM("histogram");

  private final String word;

  MetricKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
