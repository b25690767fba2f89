package io.rollscope.formats.otlp;

import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Said;
import java.util.Map;

/**
 * What spans say beside their times and coordinates, and what many of them say alike.
 *
 * @param run that it names, or null
 * @param service run of a trace whose root it is and that names none
 * @param instance its process, or null
 * @param byTime whether what lies inside what was told from time by the reader of its file
 * @param lane the track it is a state of, or null
 * @param alone whether it never makes a session of its trace
 * @param status the verdict, as it was written, or null
 * @param reason or null
 * @param group the group it was seen to be begun in, or null (contracts.md 2.12)
 * @param counters what a session counted; empty for other spans
 */
record SpanLabels(
    String run,
    String service,
    String instance,
    boolean byTime,
    String lane,
    boolean alone,
    String status,
    String reason,
    String group,
    Map<String, Long> counters) {

  static SpanLabels of(
      Said said, String service, Origin origin, String group, Map<String, Long> counters) {
    return new SpanLabels(
        said.run(),
        service,
        origin.instance(),
        !origin.source().equals("otlp"),
        said.lane(),
        said.alone(),
        said.status(),
        said.reason(),
        group,
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
        byTime,
        either(lane, weaker.lane),
        alone || weaker.alone,
        either(status, weaker.status),
        either(reason, weaker.reason),
        either(group, weaker.group),
        counters.isEmpty() ? weaker.counters : counters);
  }

  private static String either(String a, String b) {
    return a != null ? a : b;
  }
}
