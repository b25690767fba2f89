package io.rollscope.cli.render;

import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.StageStats;
import io.rollscope.core.view.HotspotsReport.Waits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The hotspots report as text. */
public final class HotspotsTable {
  private static final int SHOWN_ERRORS = 5;

  /** What is no stage of sessions, by kind: a state of one name is another thing. */
  private static final Map<String, String> OTHERS =
      new TreeMap<>(Map.of("op", "work of processes", "state", "states of processes"));

  /** The page's order: what took the time comes first. */
  private static final Comparator<StageStats> BY_SELF_TIME =
      Comparator.comparingDouble(StageStats::selfS)
          .thenComparingDouble(StageStats::p95S)
          .reversed()
          .thenComparing(StageStats::stage);

  private HotspotsTable() {}

  public static List<String> lines(HotspotsReport report, Console console) {
    Style style = console.style();
    List<String> lines = new ArrayList<>();
    lines.addAll(
        Flow.lines(
            List.of(
                style.bold(Console.clean(report.run())),
                "scope " + Console.clean(report.scope()),
                String.format(Locale.ROOT, "%,d sessions", report.sessionCount()),
                String.format(Locale.ROOT, "%,d spans of stages", report.spanCount()),
                "over " + Durations.human(report.timelineEndS() - report.timelineStartS()),
                "longest session "
                    + Durations.human(report.maxTaskDurationS())
                    + " from first to last span"),
            "  ",
            console.width()));
    lines.add("");
    if (report.sessionCount() > 0 || report.stageStats().isEmpty()) {
      lines.addAll(stages("stage", report, "phase", style).lines(console.width(), style));
      lines.add("");
      lines.addAll(waits(report, console));
    }
    OTHERS.forEach(
        (kind, title) -> {
          if (report.stageStats().stream().anyMatch(s -> s.kind().equals(kind))) {
            if (lines.size() > 2) {
              lines.add("");
            }
            lines.addAll(stages(title, report, kind, style).lines(console.width(), style));
          }
        });
    if (report.clockDisagrees() > 0) {
      lines.add(
          style.yellow(
              String.format(
                  Locale.ROOT,
                  "%,d spans: wall clock and monotonic clock differ by more than 0.1 s (clock_disagrees)",
                  report.clockDisagrees())));
    }
    if (!report.errors().isEmpty()) {
      lines.add("");
      lines.addAll(errors(report.errors(), console));
    }
    return lines;
  }

  private static TextTable stages(String title, HotspotsReport report, String kind, Style style) {
    TextTable table =
        new TextTable()
            .text(title)
            .number("share")
            .number("self")
            .number("p95")
            .number("count")
            .number("open")
            .number("errors")
            .number("p50")
            .number("p99")
            .number("max")
            .number("avg")
            .number("total");
    List<StageStats> shown =
        report.stageStats().stream()
            .filter(s -> s.kind().equals(kind))
            .sorted(BY_SELF_TIME)
            .toList();
    for (StageStats s : shown) {
      table.row(
          s.stage(),
          String.format(Locale.ROOT, "%.1f%%", 100 * s.share()),
          Durations.human(s.selfS()),
          TextTable.styled(Durations.human(s.p95S()), style::bold),
          String.format(Locale.ROOT, "%,d", s.count()),
          count(s.openCount(), style::cyan),
          count(s.errorCount(), style::red),
          Durations.human(s.p50S()),
          Durations.human(s.p99S()),
          Durations.human(s.maxS()),
          Durations.human(s.avgS()),
          Durations.human(s.totalS()));
    }
    return table;
  }

  private static Object count(int n, UnaryOperator<String> look) {
    return n == 0 ? null : TextTable.styled(String.format(Locale.ROOT, "%,d", n), look);
  }

  private static List<String> waits(HotspotsReport report, Console console) {
    Waits w = report.waits();
    double stages =
        report.stageStats().stream()
            .filter(s -> s.kind().equals("phase"))
            .mapToDouble(StageStats::selfS)
            .sum();
    double all = stages + w.queueS() + w.gapS() + w.siblingsS() + w.unaccountedS();
    List<String> lines =
        Flow.lines(
            List.of(
                console.style().bold("time of all sessions")
                    + " "
                    + Durations.human(all)
                    + " = stages "
                    + part(stages, all),
                "queue " + part(w.queueS(), all),
                "gap " + part(w.gapS(), all),
                "siblings " + part(w.siblingsS(), all),
                "unaccounted " + part(w.unaccountedS(), all)),
            " + ",
            console.width());
    if (w.barrierS() > 0) {
      lines.add(
          "then barrier "
              + Durations.human(w.barrierS())
              + ": work done, no verdict yet; in no share");
    }
    if (w.outsideS() > 0) {
      String whose = report.outsideWorker();
      lines.add(
          Durations.human(w.outsideS())
              + " of spans lie outside their session"
              + (whose == null ? "" : ", most of them of " + whose + ": is its clock right?"));
    }
    return lines;
  }

  private static String part(double seconds, double all) {
    return String.format(Locale.ROOT, "%.1f%%", !(all > 0) ? 0 : 100 * seconds / all);
  }

  static List<String> errors(List<ErrorGroup> groups, Console console) {
    TextTable table = new TextTable().number("errors").word("stage").prose("cause").text("e.g.");
    groups.stream()
        .limit(SHOWN_ERRORS)
        .forEach(
            g ->
                table.row(
                    TextTable.styled(
                        String.format(Locale.ROOT, "%,d", g.count()), console.style()::red),
                    g.stage(),
                    g.error(),
                    g.example()));
    return table.lines(console.width(), console.style());
  }
}
