package io.rollscope.store.journal;

/** What an OTLP export request carries. */
public enum Signal {
  TRACES,
  LOGS,
  METRICS
}
