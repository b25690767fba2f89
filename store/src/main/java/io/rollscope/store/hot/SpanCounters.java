package io.rollscope.store.hot;

import io.rollscope.core.stats.Counters;
import io.rollscope.otlp.Identity;
import io.rollscope.otlp.record.Attributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the span of a session counted: its attributes {@code rl.counter.NAME}, and AReaL's. */
final class SpanCounters {
  private SpanCounters() {}

  /** Of the versions of a span, the one that counts first. */
  static Map<String, Long> of(List<Attributes> versions) {
    Map<String, Long> found = new HashMap<>(4);
    versions.forEach(version -> version.forEach((key, value) -> put(found, key, value)));
    return found.isEmpty() ? Map.of() : found;
  }

  static Map<String, Long> of(Map<String, String> attributes) {
    Map<String, Long> found = new HashMap<>(4);
    attributes.forEach((key, value) -> put(found, key, value));
    return found.isEmpty() ? Map.of() : found;
  }

  private static void put(Map<String, Long> found, String key, String value) {
    String name = Counters.nameOf(key);
    Long amount = name == null ? null : Identity.wholeNumber(value);
    if (amount != null) {
      found.putIfAbsent(name, amount);
    }
  }

  static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    Counters sum = new Counters();
    sum.addAll(a);
    sum.addAll(b);
    return sum.sums();
  }
}
