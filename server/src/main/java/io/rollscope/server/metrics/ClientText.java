package io.rollscope.server.metrics;

import io.rollscope.store.metric.Exposition;
import io.rollscope.store.metric.Exposition.Family;
import io.rollscope.store.metric.Exposition.Point;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes client metrics as Prometheus text 0.0.4 or as OpenMetrics 1.0. */
final class ClientText {
  private final boolean open;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param open whether as OpenMetrics
   */
  ClientText(boolean open) {
    this.open = open;
  }

  String write(Exposition exposition) {
    gauge(
        "rollscope_exposition_left_out_series",
        "Series of clients that are not here: too many, or another metric has their name.",
        (double) exposition.leftOut());
    exposition.families().forEach(this::write);
    return out.toString();
  }

  private void gauge(String name, String help, double value) {
    write(
        new Family(
            name, "gauge", help, List.of(new Point(new TreeMap<>(), value, 0, null, null, null))));
  }

  private void write(Family family) {
    boolean counter = family.type().equals("counter");
    String sample = family.name() + (counter ? "_total" : "");
    String name = counter && !open ? sample : family.name();
    String help = family.help().isEmpty() ? help(family) : family.help();
    out.append("# HELP ").append(name).append(' ').append(escaped(help, open)).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(family.type()).append('\n');
    for (Point point : family.points()) {
      switch (family.type()) {
        case "histogram" -> histogram(family.name(), point);
        case "summary" -> summary(family.name(), point);
        default -> line(sample, point.labels(), null, null, number(point.value()));
      }
    }
  }

  /** As the clients of RL-Insight do. */
  private static String help(Family family) {
    String type = family.type();
    return Character.toUpperCase(type.charAt(0)) + type.substring(1) + " " + family.name();
  }

  private void histogram(String name, Point point) {
    long below = 0;
    for (int i = 0; i < point.buckets().length; i++) {
      below += point.buckets()[i];
      boolean last = i == point.bounds().length;
      String bound = last ? "+Inf" : number(point.bounds()[i]);
      if (!last || i == point.buckets().length - 1) {
        line(name + "_bucket", point.labels(), "le", bound, String.valueOf(below));
      }
    }
    line(name + "_sum", point.labels(), null, null, number(point.value()));
    line(name + "_count", point.labels(), null, null, String.valueOf(below));
  }

  private void summary(String name, Point point) {
    for (int i = 0; point.quantileValues() != null && i < point.quantileValues().length; i++) {
      String quantile = number(point.bounds()[i]);
      String value = number(point.quantileValues()[i]);
      line(name, point.labels(), "quantile", quantile, value);
    }
    line(name + "_sum", point.labels(), null, null, number(point.value()));
    line(name + "_count", point.labels(), null, null, String.valueOf(point.count()));
  }

  private void line(
      String name, Map<String, String> labels, String more, String moreValue, String value) {
    out.append(name);
    char before = '{';
    for (Map.Entry<String, String> label : labels.entrySet()) {
      before = label(before, label.getKey(), label.getValue());
    }
    if (more != null) {
      before = label(before, more, moreValue);
    }
    out.append(before == ',' ? "} " : " ").append(value).append('\n');
  }

  private char label(char before, String name, String value) {
    out.append(before).append(name).append("=\"").append(escaped(value, true)).append('"');
    return ',';
  }

  private static String escaped(String text, boolean quotes) {
    String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
    return quotes ? escaped.replace("\"", "\\\"") : escaped;
  }

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return Double.toString(value);
  }
}
