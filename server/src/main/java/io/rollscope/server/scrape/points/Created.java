package io.rollscope.server.scrape.points;

import io.rollscope.core.time.Nanos;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Labels;
import io.rollscope.server.scrape.text.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When series began to count, as far as {@code _created} tells. In OpenMetrics it is a sample of
 * the counter's family; in Prometheus' own format it stands beside it as a gauge.
 */
final class Created {
  private static final String SUFFIX = "_created";

  private final Map<String, Family> byName = new HashMap<>();
  private final Map<String, Map<Labels, Double>> seconds = new HashMap<>();

  Created(List<Family> families) {
    families.forEach(family -> byName.put(family.name(), family));
    for (Family family : families) {
      for (Sample sample : family.samples()) {
        if (isCreated(family, sample)) {
          seconds
              .computeIfAbsent(base(sample.name()), n -> new HashMap<>())
              .put(sample.labels(), sample.value());
        }
      }
    }
  }

  /** Whether a sample is no metric of its own but tells of another's beginning. */
  boolean isCreated(Family family, Sample sample) {
    if (!sample.name().endsWith(SUFFIX)) {
      return false;
    }
    if (!family.name().equals(sample.name())) {
      return true;
    }
    String base = base(sample.name());
    return family.type() == Family.Type.GAUGE && (counts(base) || counts(base + "_total"));
  }

  private boolean counts(String name) {
    Family family = byName.get(name);
    return family != null
        && switch (family.type()) {
          case COUNTER, HISTOGRAM, SUMMARY -> true;
          default -> false;
        };
  }

  private static String base(String name) {
    return name.substring(0, name.length() - SUFFIX.length());
  }

  /** Nanoseconds since the epoch, 0 when unknown. */
  long of(String name, Labels labels) {
    Double found = find(name, labels);
    if (found == null && name.endsWith("_total")) {
      found = find(name.substring(0, name.length() - "_total".length()), labels);
    }
    long ns = found == null ? 0 : Nanos.fromSeconds(found);
    return Math.max(0, ns);
  }

  private Double find(String base, Labels labels) {
    return seconds.getOrDefault(base, Map.of()).get(labels);
  }
}
