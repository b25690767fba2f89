package io.rollscope.sdk;

/** What an export request carries. */
public enum Signal {
  TRACES("/v1/traces"),
  LOGS("/v1/logs"),
  METRICS("/v1/metrics");

  private final String path;

  Signal(String path) {
    this.path = path;
  }

  /** Where OTLP over HTTP wants it, below the base address. */
  public String path() {
    return path;
  }
}
