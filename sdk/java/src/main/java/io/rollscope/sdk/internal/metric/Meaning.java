package io.rollscope.sdk.internal.metric;

/** What the values of a metric are, as OTLP has it; empty where nobody says. */
public record Meaning(String unit, String description) {
  static final Meaning UNSAID = new Meaning("", "");
}
