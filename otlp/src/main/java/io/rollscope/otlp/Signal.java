package io.rollscope.otlp;

/** What an export request carries. */
public enum Signal {
  TRACES,
  LOGS,
  METRICS
}
