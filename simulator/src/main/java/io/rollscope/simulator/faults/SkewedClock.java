package io.rollscope.simulator.faults;

import io.rollscope.simulator.cluster.ClusterSettings;

/** The clock of a host is wrong by some seconds. */
public record SkewedClock(String host, double seconds) implements Fault {

  @Override
  public double clockS(String of) {
    return of.equals(host) ? seconds : 0;
  }

  @Override
  public boolean hasCost() {
    return false;
  }

  @Override
  public boolean isAlways() {
    return true;
  }

  @Override
  public Expected expected(ClusterSettings settings) {
    return new Expected("clock_skew", "host", host, "");
  }
}
