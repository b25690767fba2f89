package io.rollscope.cli.render;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.ProcessLine;
import io.rollscope.core.view.LiveReport.Row;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The live report as text. */
public final class LiveTable {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final int SHOWN_PROCESSES = 5;
  private static final int SHOWN_BATCHES = 3;

  private LiveTable() {}

  /** Everything, for printing once. */
  public static List<String> lines(LiveReport report, Console console) {
    Style style = console.style();
    List<String> lines = new ArrayList<>(head(report, console.width(), style));
    lines.add("");
    if (!report.openSpanSummaries().isEmpty()) {
      lines.addAll(open(report, style).lines(console.width(), style));
      lines.add("");
    }
    lines.addAll(rows(report.rows(), style).lines(console.width(), style));
    int hidden = report.sessionSummary().get("total") - report.rows().size();
    if (hidden > 0) {
      lines.add(style.dim(String.format(Locale.ROOT, "… %,d more sessions", hidden)));
    }
    return lines;
  }

  /** A time before September 2001 counts from a zero that only its source knows. */
  private static String time(double seconds) {
    return seconds < 1e9
        ? String.format(Locale.ROOT, "%.3f s on a clock of its own", seconds)
        : TIME.format(Instant.ofEpochMilli((long) (seconds * 1000)).atZone(ZoneId.systemDefault()));
  }

  /** What is counted: the run, sessions by status, where the running ones are. */
  public static List<String> head(LiveReport report, int width, Style style) {
    List<String> lines = new ArrayList<>();
    lines.addAll(
        Flow.lines(
            List.of(
                style.bold(Console.clean(report.run())),
                "scope " + Console.clean(report.scope()),
                time(report.generatedAtS()),
                recorded(report)),
            "  ",
            width));
    lines.addAll(
        Flow.lines(
            report.sessionSummary().entrySet().stream()
                .filter(e -> e.getValue() > 0 || e.getKey().equals("running"))
                .map(e -> status(e, style))
                .toList(),
            "  ",
            width));
    if (!report.taskSummary().currentStageCounts().isEmpty()) {
      List<String> stages = new ArrayList<>(List.of("now in"));
      report.taskSummary().currentStageCounts().entrySet().stream()
          .limit(8)
          .forEach(e -> stages.add(Console.clean(e.getKey()) + " " + e.getValue()));
      lines.addAll(Flow.lines(stages, "  ", width));
    }
    lines.addAll(processes(report, style));
    lines.addAll(DroppedLines.of(report, width, style));
    if (report.past()) {
      lines.add(style.dim("as of its last event; --now T or --now now looks at another moment"));
    }
    return lines;
  }

  /** A folder has lines, a server what it made of them. */
  private static String recorded(LiveReport report) {
    String what = report.source().startsWith("http") ? "spans" : "events";
    return String.format(Locale.ROOT, "%,d %s", report.rawEventCount(), what);
  }

  /** Who died with open work or is silent, and what hangs on it. */
  private static List<String> processes(LiveReport report, Style style) {
    List<String> lines = new ArrayList<>();
    for (ProcessLine p : report.processes().stream().limit(SHOWN_PROCESSES).toList()) {
      boolean lost = p.state().equals("lost");
      List<String> where = new ArrayList<>();
      if (p.host() != null) {
        where.add(p.host());
      }
      if (p.pid() != null) {
        where.add("pid " + p.pid());
      }
      String who = p.worker() == null ? "a process" : p.worker();
      String line =
          Console.clean(who + (where.isEmpty() ? "" : " (" + String.join(", ", where) + ")"))
              + (lost ? " died " : " is silent since ")
              + TIME.format(
                  Instant.ofEpochMilli((long) (p.sinceS() * 1000)).atZone(ZoneId.systemDefault()))
              + String.format(
                  Locale.ROOT,
                  ": %,d %s %s",
                  p.sessions(),
                  p.sessions() == 1 ? "session" : "sessions",
                  lost ? "lost" : "running on it")
              + (p.batches().isEmpty() ? "" : " of " + Console.clean(some(p.batches())))
              + (p.replaced() ? "; another process took its place" : "");
      lines.add(lost ? style.red(line) : style.yellow(line));
    }
    int hidden = report.processes().size() - SHOWN_PROCESSES;
    if (hidden > 0) {
      lines.add(style.dim("and " + hidden + " more processes"));
    }
    return lines;
  }

  private static String some(List<String> batches) {
    return String.join(", ", batches.subList(0, Math.min(SHOWN_BATCHES, batches.size())))
        + (batches.size() > SHOWN_BATCHES ? ", …" : "");
  }

  private static String stage(Row row) {
    if (Row.VERDICT.equals(row.waitsFor())) {
      return "waits for its verdict";
    }
    return Row.SIBLINGS.equals(row.waitsFor()) ? "waits for siblings" : row.stage();
  }

  private static String status(Map.Entry<String, Integer> entry, Style style) {
    String count = String.format(Locale.ROOT, "%,d", entry.getValue());
    return entry.getKey().equals("total")
        ? style.bold(count) + " sessions"
        : style.status(entry.getKey(), count + " " + entry.getKey());
  }

  /** Open spans by name. */
  public static TextTable open(LiveReport report, Style style) {
    TextTable table =
        new TextTable()
            .text("open stage")
            .number("open")
            .number("oldest")
            .number("p95 age")
            .number("usual p95")
            .word("")
            .text("oldest session")
            .word("worker");
    for (OpenSpanSummary s : report.openSpanSummaries()) {
      UnaryOperator<String> look = s.suspect() ? style::red : UnaryOperator.identity();
      table.row(
          s.stage(),
          s.openCount(),
          TextTable.styled(Durations.human(s.oldestAgeS()), look),
          Durations.human(s.p95AgeS()),
          s.usualP95S() == null ? null : Durations.human(s.usualP95S()),
          TextTable.styled(s.suspect() ? "!" : " ", look),
          s.oldestSession(),
          s.worker());
    }
    return table;
  }

  /** Sessions; their tasks only where one has any. */
  public static TextTable rows(List<Row> rows, Style style) {
    boolean tasks = rows.stream().anyMatch(r -> task(r) != null);
    TextTable table = new TextTable().text("session");
    if (tasks) {
      table.text("task");
    }
    table
        .word("status")
        .text("stage")
        .number("open for")
        .number("usual p95")
        .word("")
        .word("worker")
        .number("step")
        .text("last event");
    for (Row r : rows) {
      UnaryOperator<String> look = r.suspect() ? style::red : UnaryOperator.identity();
      List<Object> cells = new ArrayList<>();
      cells.add(r.session());
      if (tasks) {
        cells.add(task(r));
      }
      cells.add(TextTable.styled(r.status(), s -> style.status(r.status(), s)));
      cells.add(stage(r));
      cells.add(
          TextTable.styled(r.openAgeS() == null ? null : Durations.human(r.openAgeS()), look));
      cells.add(r.usualP95S() == null ? null : Durations.human(r.usualP95S()));
      cells.add(TextTable.styled(r.suspect() ? "!" : " ", look));
      cells.add(r.worker());
      cells.add(r.trainStep());
      cells.add(r.latestStage());
      table.row(cells.toArray());
    }
    return table;
  }

  private static String task(Row row) {
    return row.taskName() == null ? row.task() : row.taskName();
  }
}
