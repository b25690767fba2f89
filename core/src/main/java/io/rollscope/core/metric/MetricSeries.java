package io.rollscope.core.metric;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is known of a series without looking at its points. */
public final class MetricSeries {
  /** The facts of a process that can be asked for like labels. */
  public static final List<String> PROCESS =
      List.of("service", "instance", "host", "worker_role", "worker_rank");

  /**
   * Which series it is, as its points say.
   *
   * @param series a number that no other series of the run has
   * @param labels the labels that its points have
   * @param process what tells its process from others: some of {@link #PROCESS}
   */
  public record Identity(
      String name,
      long series,
      String kind,
      String unit,
      String temporality,
      boolean monotonic,
      Map<String, String> labels,
      Map<String, String> process) {}

  /**
   * What some of its points say together.
   *
   * @param firstValue the earliest finite value, or null; likewise the others
   * @param lastStep the step of the newest point that belongs to one, or null
   * @param stepSource how the step of the newest point is known: {@code sent}, {@code scraped},
   *     {@code batch} or {@code none}
   */
  public record Seen(
      long firstNs,
      long lastNs,
      Double firstValue,
      Double lastValue,
      Double least,
      Double greatest,
      Long lastStep,
      String stepSource) {}

  final Identity identity;
  final String name;
  final long series;
  final String kind;

  private long firstNs = Long.MAX_VALUE;
  private long lastNs = Long.MIN_VALUE;
  private Double firstValue;
  private Double lastValue;
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private Long lastStep;
  private String stepSource;

  public MetricSeries(Identity identity) {
    this.identity = identity;
    this.name = identity.name();
    this.series = identity.series();
    this.kind = identity.kind();
  }

  /** Adds what points say; those it knows already change nothing. */
  public void saw(Seen seen) {
    if (seen.firstNs() <= firstNs) {
      firstNs = seen.firstNs();
      firstValue = seen.firstValue() == null ? firstValue : seen.firstValue();
    }
    if (seen.lastNs() >= lastNs) {
      lastNs = seen.lastNs();
      lastValue = seen.lastValue() == null ? lastValue : seen.lastValue();
      lastStep = seen.lastStep() == null ? lastStep : seen.lastStep();
      stepSource = seen.stepSource();
    } else if (lastStep == null) {
      lastStep = seen.lastStep();
    }
    if (seen.least() != null) {
      least = Math.min(least, seen.least());
      greatest = Math.max(greatest, seen.greatest());
    }
  }

  public String name() {
    return name;
  }

  /** The number by which its points are found. */
  public long series() {
    return series;
  }

  public long firstNs() {
    return firstNs;
  }

  public long lastNs() {
    return lastNs;
  }

  Double firstValue() {
    return firstValue;
  }

  Double lastValue() {
    return lastValue;
  }

  double least() {
    return least;
  }

  double greatest() {
    return greatest;
  }

  Long lastStep() {
    return lastStep;
  }

  String stepSource() {
    return stepSource;
  }

  /** A label, or what else can be asked for like one. */
  String label(String key) {
    String own = identity.labels().get(key);
    return own != null ? own : identity.process().get(key);
  }

  /** Its labels and, where they have no such label, these facts of its process. */
  Map<String, String> labelsWith(Iterable<String> facts) {
    Map<String, String> all = new TreeMap<>(identity.labels());
    for (String fact : facts) {
      if (identity.process().get(fact) != null) {
        all.putIfAbsent(fact, identity.process().get(fact));
      }
    }
    return all;
  }

  boolean isCounter() {
    return identity.monotonic() || ("delta".equals(identity.temporality()) && !isHistogram());
  }

  boolean isHistogram() {
    return kind.equals("histogram") || kind.equals("exponential_histogram");
  }
}
