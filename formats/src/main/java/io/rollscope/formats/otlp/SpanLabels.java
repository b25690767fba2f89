package io.rollscope.formats.otlp;

import io.rollscope.otlp.record.Said;
import java.util.Map;

/**
 * What spans say beside their times and coordinates, and what many of them say alike.
 *
 * @param run that it names, or null
 * @param service run of a trace whose root it is and that names none
 * @param instance its process, or null
 * @param lane the track it is a state of, or null
 * @param alone whether it never makes a session of its trace
 * @param status the verdict, as it was written, or null
 * @param reason or null
 * @param counters what a session counted; empty for other spans
 */
record SpanLabels(
    String run,
    String service,
    String instance,
    String lane,
    boolean alone,
    String status,
    String reason,
    Map<String, Long> counters) {

  static SpanLabels of(Said said, String service, String instance, Map<String, Long> counters) {
    return new SpanLabels(
        said.run(),
        service,
        instance,
        said.lane(),
        said.alone(),
        said.status(),
        said.reason(),
        counters);
  }

  /** The same with what only the other says. */
  SpanLabels and(SpanLabels weaker) {
    if (equals(weaker)) {
      return this;
    }
    return new SpanLabels(
        either(run, weaker.run),
        service,
        instance,
        either(lane, weaker.lane),
        alone || weaker.alone,
        either(status, weaker.status),
        either(reason, weaker.reason),
        counters.isEmpty() ? weaker.counters : counters);
  }

  private static String either(String a, String b) {
    return a != null ? a : b;
  }
}
