package io.rollscope.simulator.cluster;

/** A span that a process has begun, and maybe ended. Times are virtual. */
final class Span {
  final String trace;
  final String id;
  final String parent;
  final String name;
  final Attributes attributes;

  /** Attributes known at its start. */
  final int knownAtStart;

  final long startNs;
  long endNs = -1;
  String errorType;
  String errorMessage;

  /**
   * @param parent or null
   */
  Span(String trace, String id, String parent, String name, Attributes attributes, long startNs) {
    this.trace = trace;
    this.id = id;
    this.parent = parent;
    this.name = name;
    this.attributes = attributes;
    this.knownAtStart = attributes.size();
    this.startNs = startNs;
  }
}
