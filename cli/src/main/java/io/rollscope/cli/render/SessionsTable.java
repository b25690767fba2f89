package io.rollscope.cli.render;

import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsReport.Batch;
import io.rollscope.core.view.SessionsReport.Step;
import io.rollscope.core.view.SessionsView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** The sessions report as text. */
public final class SessionsTable {
  private static final int SHOWN_BATCHES = 10;

  /** One metric, as a line of CSV. */
  public record Metric(String metric, Summary summary) {}

  private SessionsTable() {}

  /** The metrics as records. */
  public static List<Metric> metrics(SessionsReport report) {
    return report.metrics().entrySet().stream()
        .map(e -> new Metric(e.getKey(), e.getValue()))
        .toList();
  }

  public static List<String> lines(SessionsReport report, Console console) {
    Style style = console.style();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s  scope %s  %,d sessions",
            style.bold(Console.clean(report.run())),
            Console.clean(report.scope()),
            report.records()));
    lines.add(
        "status   "
            + report.statuses().entrySet().stream()
                .map(e -> style.status(e.getKey(), e.getKey()) + " " + number(e.getValue()))
                .collect(Collectors.joining("  ")));
    Map<String, Integer> words = new LinkedHashMap<>(report.statusCounts());
    words.remove("unknown"); // Whose source has no word for it: nothing that anybody said.
    add(lines, "source   ", words);
    add(lines, "reason   ", report.reasonCounts());
    if (!report.rankCounts().keySet().equals(Set.of("unknown"))) {
      add(lines, "rank     ", report.rankCounts());
    }
    add(lines, "role     ", report.roleCounts());
    add(lines, "spans    ", report.spanCounts());
    if (report.nullEndSpans() > 0) {
      lines.add("         " + number(report.nullEndSpans()) + " of them without an end");
    }
    if (!report.counters().isEmpty()) {
      lines.add("counters " + joined(report.counters()));
    }
    lines.add("");
    lines.addAll(metricTable(report).lines(console.width(), style));
    lines.add("");
    lines.addAll(steps(report, console));
    if (!report.batches().isEmpty()) {
      lines.add("");
      lines.addAll(batches(report).lines(console.width(), style));
      if (report.batches().size() > SHOWN_BATCHES) {
        lines.add("… " + number(report.batches().size() - SHOWN_BATCHES) + " more before these");
      }
    }
    if (!report.errors().isEmpty()) {
      lines.add("");
      lines.addAll(HotspotsTable.errors(report.errors(), console));
    }
    return lines;
  }

  /** What the two lengths of a session are. */
  private static final Map<String, String> LABELS =
      Map.of("total_s", "total_s (to verdict)", "work_s", "work_s (work)");

  private static final Set<String> AMOUNTS =
      Set.of(SessionsView.REWARD, SessionsView.INPUT_TOKENS, SessionsView.OUTPUT_TOKENS);

  private static void add(List<String> lines, String label, Map<String, Integer> counts) {
    if (!counts.isEmpty()) {
      lines.add(label + joined(counts));
    }
  }

  private static String joined(Map<String, ? extends Number> counts) {
    String shown =
        counts.entrySet().stream()
            .limit(12)
            .map(e -> Console.prose(e.getKey()) + " " + number(e.getValue()))
            .collect(Collectors.joining("  "));
    return counts.size() > 12 ? shown + "  … " + (counts.size() - 12) + " more" : shown;
  }

  private static String number(Number n) {
    return String.format(Locale.ROOT, "%,d", n.longValue());
  }

  private static TextTable metricTable(SessionsReport report) {
    TextTable table =
        new TextTable()
            .text("metric")
            .number("count")
            .number("mean")
            .number("min")
            .number("p25")
            .number("p50")
            .number("p75")
            .number("p90")
            .number("p95")
            .number("p99")
            .number("max");
    for (Metric metric : metrics(report)) {
      Summary m = metric.summary();
      DoubleFunction<String> human =
          AMOUNTS.contains(metric.metric()) ? Amounts::human : Durations::human;
      table.row(
          LABELS.getOrDefault(metric.metric(), metric.metric()),
          number(m.count()),
          human.apply(m.mean()),
          human.apply(m.min()),
          human.apply(m.p25()),
          human.apply(m.p50()),
          human.apply(m.p75()),
          human.apply(m.p90()),
          human.apply(m.p95()),
          human.apply(m.p99()),
          human.apply(m.max()));
    }
    return table;
  }

  /** The newest ones: a long run has many. */
  private static TextTable batches(SessionsReport report) {
    TextTable table =
        new TextTable()
            .text("batch")
            .number("sessions")
            .number("wall")
            .number("slots")
            .number("tail after 90%")
            .number("tail cost");
    boolean rewards = report.batches().stream().anyMatch(b -> b.reward() != null);
    boolean tokens = report.batches().stream().anyMatch(b -> b.outputTokens() != null);
    if (rewards) {
      table.number("mean reward");
    }
    if (tokens) {
      table.number("output tokens");
    }
    int all = report.batches().size();
    for (Batch b : report.batches().subList(Math.max(0, all - SHOWN_BATCHES), all)) {
      List<Object> cells = new ArrayList<>();
      cells.add(b.batch());
      cells.add(number(b.sessions()));
      cells.add(Durations.human(b.wallS()));
      cells.add(number(b.slots()));
      cells.add(Durations.human(b.tailS()));
      cells.add(Durations.human(b.tailCostS()));
      if (rewards) {
        cells.add(Amounts.orNone(b.reward()));
      }
      if (tokens) {
        cells.add(Amounts.orNone(b.outputTokens()));
      }
      table.row(cells.toArray());
    }
    return table;
  }

  private static List<String> steps(SessionsReport report, Console console) {
    List<String> lines = new ArrayList<>();
    lines.add(
        console.style().bold("steps")
            + " "
            + report.stepRule()
            + (report.stepNote() == null ? "" : ": " + report.stepNote())
            + "; "
            + number(report.unassignedSessions())
            + " sessions in none");
    if (!report.steps().isEmpty()) {
      TextTable table =
          new TextTable().number("step").number("ends at").number("sessions").number("accepted");
      for (Step s : report.steps()) {
        table.row(
            s.step(),
            String.format(Locale.ROOT, "%.3f s", s.endOffsetS()),
            number(s.sessions()),
            number(s.accepted()));
      }
      lines.addAll(table.lines(console.width(), console.style()));
    }
    return lines;
  }
}
