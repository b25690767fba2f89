package io.rollscope.simulator;

/** A process that records events, one after the other. */
final class SimulatedProcess {
  final long pid;

  /** Virtual time of what it recorded last. */
  long lastNs;

  SimulatedProcess(long pid) {
    this.pid = pid;
  }
}
