package io.rollscope.cli.render;

import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.ChartReport.Line;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.MetricsReport.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Metrics as text: which there are, and the values of some. */
public final class MetricsTable {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final DateTimeFormatter MILLISECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
  private static final MathContext DIGITS = new MathContext(6);
  private static final double LEAST_PLAIN = 1e-5;
  private static final double MOST_PLAIN = 1e15;
  private static final int HEAD_WIDTH = 40;
  private static final int SHOWN_PROBLEMS = 3;
  private static final String INSTANCE = "instance";
  private static final int INSTANCE_SHOWN = 8;

  private MetricsTable() {}

  // ---- which there are -------------------------------------------------------------------------

  /**
   * The list of a run's metrics.
   *
   * @param courses what each was over time, where that can be drawn
   */
  public static List<String> list(
      MetricsReport report, Map<String, double[]> courses, Console console) {
    Style style = console.style();
    List<Metric> metrics = report.metrics();
    List<String> lines =
        new ArrayList<>(
            Flow.lines(
                List.of(
                    style.bold(Console.clean(report.run())),
                    counted(metrics.size() + report.leftOut(), "metric"),
                    counted(metrics.stream().mapToLong(Metric::series).sum(), "series"),
                    counted(metrics.stream().mapToLong(Metric::points).sum(), "point")),
                "  ",
                console.width()));
    if (metrics.isEmpty()) {
      return lines;
    }
    lines.add("");
    TextTable table = new TextTable().text("metric").word("kind").number("last").number("at step");
    if (!courses.isEmpty()) {
      table.word("course");
    }
    table
        .word("unit")
        .number("min")
        .number("max")
        .number("first")
        .number("series")
        .number("points");
    for (Metric m : metrics) {
      List<Object> row = new ArrayList<>();
      row.add(m.name());
      row.add(kind(m));
      row.add(TextTable.styled(number(m.lastValue()), style::bold));
      row.add(m.lastStep());
      if (!courses.isEmpty()) {
        double[] course = courses.get(m.name());
        row.add(course == null ? "" : TextTable.styled(Sparkline.of(course), style::cyan));
      }
      row.add(m.unit());
      row.add(number(m.minValue()));
      row.add(number(m.maxValue()));
      row.add(number(m.firstValue()));
      row.add(String.format(Locale.ROOT, "%,d", m.series()));
      row.add(String.format(Locale.ROOT, "%,d", m.points()));
      table.row(row.toArray());
    }
    lines.addAll(table.lines(console.width(), style));
    return lines;
  }

  private static String kind(Metric m) {
    return m.addsUp()
        ? "counter"
        : m.kind().equals("sum") ? "up-down sum" : m.kind().replace('_', ' ');
  }

  private static String counted(long count, String what) {
    boolean plural = count != 1 && !what.endsWith("s");
    return String.format(Locale.ROOT, "%,d %s", count, plural ? what + "s" : what);
  }

  /** What to know beside the list. */
  public static List<String> notes(MetricsReport report) {
    List<String> notes = new ArrayList<>();
    if (report.metrics().isEmpty()) {
      notes.add(
          "no metrics: "
              + report.run()
              + " has none (a program sends them with rs.counter, rs.gauge and rs.histogram; files"
              + " of XTuner and AReaL hold none)");
    }
    if (report.leftOut() > 0) {
      notes.add(counted(report.leftOut(), "metric") + " more are not listed");
    }
    for (MetricsReport.Problem p :
        report.problems().subList(0, Math.min(SHOWN_PROBLEMS, report.problems().size()))) {
      notes.add(
          p.metric()
              + ": "
              + p.problem().replace('_', ' ')
              + (p.detail() == null ? "" : ", " + p.detail())
              + String.format(Locale.ROOT, " (%,d times)", p.count()));
    }
    int more = report.problems().size() - SHOWN_PROBLEMS;
    if (more > 0) {
      notes.add(counted(more, "problem") + " more with metrics; --format json lists them");
    }
    return notes;
  }

  // ---- values ----------------------------------------------------------------------------------

  /** The lines of a chart as columns. */
  public static List<String> values(
      ChartReport chart, Map<String, Metric> metrics, Console console) {
    boolean steps = chart.axis().equals("step");
    TextTable table = new TextTable();
    if (steps) {
      table.number("step");
    } else {
      table.word("time");
    }
    Set<String> told = varying(chart);
    boolean several = chart.series().stream().map(Line::name).distinct().count() > 1;
    for (Line line : chart.series()) {
      table.number(TextTable.cut(head(line, told, several), HEAD_WIDTH));
    }
    for (int i = 0; i < chart.x().length; i++) {
      Object[] row = new Object[1 + chart.series().size()];
      row[0] = steps ? (Object) (long) chart.x()[i] : time(chart.x()[i], chart.bucketS());
      for (int s = 0; s < chart.series().size(); s++) {
        row[1 + s] = number(chart.series().get(s).y()[i]);
      }
      table.row(row);
    }
    List<String> lines = new ArrayList<>();
    chart.series().stream()
        .map(Line::name)
        .distinct()
        .forEach(name -> lines.add(about(chart, metrics.get(name), console)));
    if (!chart.series().isEmpty()) {
      lines.add("");
      lines.addAll(table.lines(console.width(), console.style()));
      int dropped = table.dropped(console.width());
      if (dropped > 0) {
        lines.add(
            console
                .style()
                .dim("no room for " + counted(dropped, "column") + "; --format csv has all"));
      }
    }
    return lines;
  }

  private static String about(ChartReport chart, Metric metric, Console console) {
    List<Line> lines =
        chart.series().stream().filter(line -> line.name().equals(metric.name())).toList();
    Set<String> told = varying(chart);
    String common =
        lines.get(0).labels().entrySet().stream()
            .filter(label -> !told.contains(label.getKey()))
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(" "));
    return console.style().bold(Console.clean(metric.name()))
        + "  "
        + kind(metric)
        + (metric.unit() == null ? "" : " in " + Console.clean(metric.unit()))
        + (metric.addsUp() ? ", what was added" : "")
        + (common.isEmpty() ? "" : "  " + Console.clean(common));
  }

  /** The labels in which the lines differ. */
  private static Set<String> varying(ChartReport chart) {
    Set<String> names = new TreeSet<>();
    chart.series().forEach(line -> names.addAll(line.labels().keySet()));
    names.removeIf(
        name ->
            chart.series().stream().map(line -> line.labels().get(name)).distinct().count() == 1);
    return names;
  }

  private static String head(Line line, Set<String> told, boolean several) {
    String labels =
        told.stream()
            .filter(line.labels()::containsKey)
            .sorted(Comparator.comparing(INSTANCE::equals)) // The least telling one is the last.
            .map(name -> name + "=" + shown(name, line.labels().get(name)))
            .collect(Collectors.joining(" "));
    String name = several || labels.isEmpty() ? line.name() + (labels.isEmpty() ? "" : " ") : "";
    return Console.clean(name + labels);
  }

  /** The beginning of a UUID tells processes apart. */
  private static String shown(String label, String value) {
    boolean cut = label.equals(INSTANCE) && value.length() > INSTANCE_SHOWN;
    return cut ? value.substring(0, INSTANCE_SHOWN) : value;
  }

  private static String time(double seconds, Double bucketS) {
    Instant at = Instant.ofEpochMilli(Math.round(seconds * 1_000));
    boolean fine = bucketS != null && bucketS < 1;
    return (fine ? MILLISECOND : SECOND).format(at.atZone(ZoneId.systemDefault()));
  }

  /** Six digits; a dash for none. */
  private static String number(Double value) {
    if (value == null || value.isNaN()) {
      return null;
    }
    if (value.isInfinite()) {
      return value > 0 ? "∞" : "-∞";
    }
    double size = Math.abs(value);
    if (size != 0 && (size < LEAST_PLAIN || size >= MOST_PLAIN)) {
      return String.format(Locale.ROOT, "%.4e", value);
    }
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /**
   * What to know beside values.
   *
   * @param stepless whether steps were asked for that no point has
   */
  public static List<String> notes(
      ChartReport chart, boolean stepless, Map<String, List<String>> where) {
    List<String> notes = new ArrayList<>();
    boolean empty =
        chart.series().stream().allMatch(l -> Arrays.stream(l.y()).allMatch(Double::isNaN));
    if (empty && chart.series().isEmpty() && !where.isEmpty()) {
      notes.add("no values: no series has the labels " + where);
    } else if (empty) {
      notes.add(
          stepless
              ? "no values: which steps they belong to is not known (--by time shows them)"
              : "no values: all that was recorded is NaN or infinite, or a first count only");
    }
    if (chart.leftOut() > 0) {
      notes.add(counted(chart.leftOut(), "series") + " left out; --labels or --agg shows fewer");
    }
    return notes;
  }

  /** One value of one line, for CSV. */
  public record Value(
      String name, String labels, Long step, Double timeS, Double value, Double min, Double max) {}

  /** The values of a chart one after the other, without those that are not known. */
  public static List<Value> rows(ChartReport chart) {
    boolean steps = chart.axis().equals("step");
    List<Value> rows = new ArrayList<>();
    for (Line line : chart.series()) {
      String labels =
          line.labels().entrySet().stream()
              .map(label -> label.getKey() + "=" + label.getValue())
              .collect(Collectors.joining(";"));
      for (int i = 0; i < chart.x().length; i++) {
        if (!Double.isNaN(line.y()[i])) {
          rows.add(
              new Value(
                  line.name(),
                  labels,
                  steps ? (Long) (long) chart.x()[i] : null,
                  steps ? null : (Double) chart.x()[i],
                  line.y()[i],
                  line.min()[i],
                  line.max()[i]));
        }
      }
    }
    return rows;
  }
}
