package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.points.PointValue.Kind;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Labels;
import io.rollscope.server.scrape.text.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Puts the samples of a histogram or summary together, series by series. */
final class Distributions {
  private static final double MAX_COUNT = 9.0e15;

  private final Family family;
  private final Kind kind;
  private final Created created;
  private final Remarks remarks;
  private final Map<Labels, Parts> series = new LinkedHashMap<>();

  private static final class Parts {
    private final TreeMap<Double, Double> values = new TreeMap<>();
    private long timeNs = Sample.NOW;
    private double sum = Double.NaN;
    private double count = Double.NaN;
  }

  Distributions(Family family, Created created, Remarks remarks) {
    this.family = family;
    this.kind = family.type() == Family.Type.SUMMARY ? Kind.SUMMARY : Kind.HISTOGRAM;
    this.created = created;
    this.remarks = remarks;
  }

  void addTo(List<Measure> measures) {
    family.samples().forEach(this::take);
    series.forEach(
        (labels, parts) -> {
          PointValue value = kind == Kind.SUMMARY ? summary(parts) : histogram(parts);
          if (value != null) {
            measures.add(
                new Measure(
                    family.name(),
                    kind,
                    family.unit(),
                    labels,
                    value,
                    parts.timeNs,
                    created.of(family.name(), labels)));
          }
        });
  }

  private void take(Sample sample) {
    String suffix = sample.name().substring(family.name().length());
    if (suffix.equals("_created")) {
      return;
    }
    boolean part = kind == Kind.SUMMARY ? suffix.isEmpty() : suffix.equals("_bucket");
    String label = kind == Kind.SUMMARY ? "quantile" : "le";
    Parts parts =
        series.computeIfAbsent(
            part ? sample.labels().without(label) : sample.labels(), l -> new Parts());
    parts.timeNs = sample.timeNs();
    if (suffix.equals("_sum")) {
      parts.sum = sample.value();
    } else if (suffix.equals("_count")) {
      parts.count = sample.value();
    } else if (part) {
      takePart(parts, label, sample);
    } else {
      remarks.add(sample.name() + ": no part of a " + word() + " (left out)");
    }
  }

  private void takePart(Parts parts, String label, Sample sample) {
    double at = number(sample.labels().get(label));
    if (Double.isNaN(at)) {
      remarks.add(sample.name() + ": no number in label " + label + " (left out)");
    } else if (parts.values.putIfAbsent(at, sample.value()) != null) {
      remarks.add(sample.name() + ": twice with the same labels (the first is kept)");
    }
  }

  private static double number(String text) {
    if (text == null) {
      return Double.NaN;
    }
    try {
      return text.toLowerCase(Locale.ROOT).endsWith("inf")
          ? Double.parseDouble(text.startsWith("-") ? "-Infinity" : "Infinity")
          : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private PointValue summary(Parts parts) {
    double count = Double.isNaN(parts.count) ? 0 : parts.count;
    if (!isCount(count)) {
      return refuse("count " + parts.count);
    }
    double[] quantiles = parts.values.keySet().stream().mapToDouble(d -> d).toArray();
    double[] values = parts.values.values().stream().mapToDouble(d -> d).toArray();
    return new PointValue.Summary((long) count, parts.sum, quantiles, values);
  }

  /** Exposed buckets hold all that is below their bound; ours hold what is between two. */
  private PointValue histogram(Parts parts) {
    Double infinite = parts.values.remove(Double.POSITIVE_INFINITY);
    double count = infinite == null ? parts.count : infinite;
    if (!isCount(count)) {
      return refuse("count " + count);
    }
    double[] bounds = new double[parts.values.size()];
    long[] counts = new long[bounds.length + 1];
    double before = 0;
    int at = 0;
    for (Map.Entry<Double, Double> bucket : parts.values.entrySet()) {
      double upTo = bucket.getValue();
      if (!isCount(upTo) || upTo < before || upTo > count) {
        return refuse("buckets that do not grow");
      }
      bounds[at] = bucket.getKey();
      counts[at++] = (long) (upTo - before);
      before = upTo;
    }
    counts[at] = (long) (count - before);
    boolean totalsOnly = infinite == null && bounds.length == 0;
    return new PointValue.Histogram(
        (long) count, parts.sum, bounds, totalsOnly ? new long[0] : counts);
  }

  private static boolean isCount(double value) {
    return value >= 0 && value < MAX_COUNT && value == Math.rint(value);
  }

  private PointValue refuse(String what) {
    remarks.add(family.name() + ": a " + word() + " with " + what + " (left out)");
    return null;
  }

  private String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
