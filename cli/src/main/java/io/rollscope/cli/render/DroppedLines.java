package io.rollscope.cli.render;

import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.DroppedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What got lost on its way to the report, and who lost it. */
final class DroppedLines {
  private static final int SHOWN = 3;

  private DroppedLines() {}

  static List<String> of(LiveReport report, int width, Style style) {
    String all = words(report.dropped());
    if (all.isEmpty()) {
      return List.of();
    }
    List<String> parts = new ArrayList<>(List.of("dropped  " + all));
    report.droppedBy().stream().limit(SHOWN).forEach(d -> parts.add("by " + who(d)));
    int hidden = report.droppedBy().size() - SHOWN;
    if (hidden > 0) {
      parts.add("and " + hidden + " more");
    }
    return Flow.lines(parts, "  ", width).stream().map(style::yellow).toList();
  }

  private static String who(DroppedBy by) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("spans", by.spans());
    counts.put("starts", by.starts());
    counts.put("metrics", by.metrics());
    counts.put("attributes", by.attributes());
    counts.put("deleted", by.deleted());
    List<String> names = new ArrayList<>();
    if (by.worker() != null) {
      names.add(by.worker());
    }
    if (by.host() != null) {
      names.add(by.host());
    }
    if (by.pid() != null) {
      names.add("pid " + by.pid());
    }
    return Console.clean(String.join(" ", names)) + ": " + words(counts);
  }

  private static String word(Map.Entry<String, Long> counted) {
    if (counted.getKey().equals("deleted")) {
      return "with pieces that were deleted to bound the folder";
    }
    String many = Console.clean(counted.getKey());
    return counted.getValue() == 1 ? many.replaceFirst("s$", "") : many;
  }

  private static String words(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .filter(e -> e.getValue() > 0)
        .map(e -> String.format(Locale.ROOT, "%,d %s", e.getValue(), word(e)))
        .collect(Collectors.joining(", "));
  }
}
