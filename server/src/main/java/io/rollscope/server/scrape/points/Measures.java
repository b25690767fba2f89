package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.points.PointValue.Kind;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Sample;
import java.util.ArrayList;
import java.util.List;

/** Turns families of samples into what each series is at. */
final class Measures {
  private Measures() {}

  /** Names stay those that Prometheus would use: {@code steps_total}, {@code latency}. */
  static List<Measure> of(List<Family> families, Remarks remarks) {
    Created created = new Created(families);
    List<Measure> measures = new ArrayList<>();
    for (Family family : families) {
      switch (family.type()) {
        case HISTOGRAM, SUMMARY -> new Distributions(family, created, remarks).addTo(measures);
        case COUNTER -> numbers(family, Kind.COUNTER, created, measures);
        default -> numbers(family, Kind.GAUGE, created, measures);
      }
    }
    return measures;
  }

  private static void numbers(Family family, Kind kind, Created created, List<Measure> measures) {
    for (Sample sample : family.samples()) {
      if (!created.isCreated(family, sample)) {
        measures.add(
            new Measure(
                sample.name(),
                kind,
                family.unit(),
                sample.labels(),
                new PointValue.Single(sample.value()),
                sample.timeNs(),
                kind == Kind.COUNTER ? created.of(sample.name(), sample.labels()) : 0));
      }
    }
  }
}
