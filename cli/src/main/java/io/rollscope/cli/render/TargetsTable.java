package io.rollscope.cli.render;

import io.rollscope.cli.remote.RemoteTargets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Targets for people: a table, and below it why some are down. */
public final class TargetsTable {
  private TargetsTable() {}

  /**
   * @param nowS seconds since the epoch
   */
  public static List<String> lines(RemoteTargets.All all, Console console, double nowS) {
    Style style = console.style();
    List<String> lines = new ArrayList<>();
    if (all.targets().isEmpty()) {
      lines.add("nothing is scraped; rollscope targets add HOST:PORT adds a target");
    } else {
      lines.addAll(table(all, style, nowS).lines(console.width(), style));
    }
    for (RemoteTargets.Row row : all.targets()) {
      if (row.error() != null) {
        String line = row.target() + " (" + row.job() + "): " + row.error();
        lines.add(colour(row, style).apply(Console.clean(line)));
      }
    }
    all.problems().forEach(problem -> lines.add(style.red(Console.clean(problem))));
    return lines;
  }

  private static TextTable table(RemoteTargets.All all, Style style, double nowS) {
    TextTable table =
        new TextTable()
            .word("state")
            .text("target")
            .text("job")
            .text("run")
            .number("samples")
            .number("last scrape")
            .number("took")
            .number("every")
            .word("from")
            .text("labels");
    for (RemoteTargets.Row row : all.targets()) {
      table.row(
          TextTable.styled(row.state(), colour(row, style)),
          row.target(),
          row.job(),
          row.run(),
          row.samples(),
          row.lastScrapeS() == null
              ? null
              : Durations.human(Math.max(0, nowS - row.lastScrapeS())) + " ago",
          row.lastDurationS() == null ? null : Durations.human(row.lastDurationS()),
          Durations.human(row.intervalS()),
          row.source(),
          labels(row.labels()));
    }
    return table;
  }

  private static UnaryOperator<String> colour(RemoteTargets.Row row, Style style) {
    return switch (row.state()) {
      case "up" -> row.error() == null ? style::green : style::yellow;
      case "down" -> style::red;
      default -> style::dim;
    };
  }

  private static String labels(Map<String, String> labels) {
    return labels.isEmpty()
        ? null
        : labels.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(" "));
  }
}
