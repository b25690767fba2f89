package io.rollscope.server.scrape.text;

import java.util.ArrayList;
import java.util.List;

/** The samples of one metric, with what {@code # TYPE} and {@code # UNIT} say of it. */
public final class Family {
  /** Types of metrics, of both formats. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    GAUGEHISTOGRAM,
    SUMMARY,
    STATESET,
    INFO,
    UNKNOWN
  }

  private final String name;
  private final List<Sample> samples = new ArrayList<>();
  private Type type;
  private String unit;

  Family(String name, Type type) {
    this.name = name;
    this.type = type;
  }

  public String name() {
    return name;
  }

  public Type type() {
    return type;
  }

  /** Null when nothing is said. */
  public String unit() {
    return unit;
  }

  public List<Sample> samples() {
    return samples;
  }

  void setType(Type given) {
    type = given;
  }

  void setUnit(String given) {
    unit = given;
  }
}
