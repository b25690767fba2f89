package io.rollscope.cli.render;

import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionReport.Sibling;
import io.rollscope.core.view.SessionReport.SpanLine;
import io.rollscope.core.view.SessionReport.StageTime;
import io.rollscope.core.view.SpanStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** One session as text: a waterfall, and a bar that adds up to its wall time. */
public final class SessionTable {
  private static final int BAR = 60;
  private static final int WATERFALL = 32;
  private static final int SHOWN_EVENTS = 40;
  private static final int SHOWN_STACKS = 10;
  private static final int LEAST_REASON = 20;
  private static final String BLOCKS = "█▓▒░▚▞▙▟";

  private SessionTable() {}

  public static List<String> lines(SessionReport r, Console console) {
    Style style = console.style();
    List<String> lines = new ArrayList<>();
    String session = Console.clean(r.session());
    String source =
        r.sourceStatus() == null ? "" : " (source: " + Console.clean(r.sourceStatus()) + ")";
    int room = console.width() - session.length() - r.status().length() - source.length() - 4;
    lines.add(
        style.bold(session)
            + "  "
            + style.status(r.status(), r.status())
            + source
            + (r.reason() == null ? "" : "  " + style.red(reason(r.reason(), room))));
    lines.add(place(r));
    lines.add("");
    lines.addAll(accounting(r, style));
    lines.add("");
    lines.addAll(waterfall(r, style).lines(console.width(), style));
    lines.addAll(stacks(r, style));
    if (!r.siblings().isEmpty()) {
      lines.add("");
      lines.add(
          style.bold(r.task() == null ? "begun together (inferred group): " : "same task: ")
              + r.siblings().stream()
                  .limit(8)
                  .map(s -> sibling(s, style))
                  .collect(Collectors.joining("  ")));
    }
    lines.add("");
    lines.addAll(events(r, console));
    return lines;
  }

  private static String reason(String reason, int room) {
    return TextTable.cut(Console.prose(reason), Math.max(LEAST_REASON, room));
  }

  private static String place(SessionReport r) {
    List<String> parts = new ArrayList<>();
    parts.add("run " + r.run());
    add(parts, "task ", r.task());
    add(parts, "", r.taskName());
    add(parts, "batch ", r.batch());
    add(parts, "", r.worker());
    if (r.waits().barrierS() > 0) {
      parts.add("work " + Durations.human(r.workS()));
      parts.add("to verdict " + Durations.human(r.wallS()));
    } else {
      parts.add("wall " + Durations.human(r.wallS()));
    }
    add(parts, "reward ", r.reward() == null ? null : Amounts.human(r.reward()));
    add(parts, "", Amounts.tokens(r.inputTokens(), r.outputTokens()));
    if (r.relativeClock()) {
      parts.add("times count from an unknown zero");
    }
    return Console.clean(String.join("  ", parts));
  }

  private static void add(List<String> parts, String label, String value) {
    if (value != null) {
      parts.add(label + value);
    }
  }

  private record Part(String name, double seconds) {}

  private static List<String> accounting(SessionReport r, Style style) {
    List<Part> parts = new ArrayList<>();
    for (StageTime s : r.stages()) {
      parts.add(new Part(Console.clean(s.stage()), s.selfS()));
    }
    parts.add(new Part("queue", r.waits().queueS()));
    parts.add(new Part("gap", r.waits().gapS()));
    parts.add(new Part("siblings", r.waits().siblingsS()));
    parts.add(new Part("unaccounted", r.waits().unaccountedS()));
    parts.removeIf(p -> p.seconds() <= 0);
    double all = r.wallS() - r.waits().barrierS();
    StringBuilder bar = new StringBuilder();
    List<String> legend = new ArrayList<>();
    double done = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      char block = BLOCKS.charAt(Math.min(i, BLOCKS.length() - 1));
      int from = (int) Math.round(BAR * done / all);
      done += part.seconds();
      int to = (int) Math.round(BAR * done / all);
      bar.append(String.valueOf(block).repeat(Math.max(0, to - from)));
      legend.add(
          String.format(
              Locale.ROOT,
              "%s %s %s (%.1f%%)",
              block,
              part.name(),
              Durations.human(part.seconds()),
              100 * part.seconds() / all));
    }
    List<String> lines = new ArrayList<>();
    lines.add(style.cyan(bar.toString()));
    for (int i = 0; i < legend.size(); i += 3) {
      lines.add(String.join("   ", legend.subList(i, Math.min(i + 3, legend.size()))));
    }
    if (r.waits().barrierS() > 0) {
      lines.add("then barrier " + Durations.human(r.waits().barrierS()) + " until its verdict");
    }
    return lines;
  }

  private static TextTable waterfall(SessionReport r, Style style) {
    TextTable table =
        new TextTable()
            .text("span")
            .word("when")
            .number("start")
            .number("duration")
            .number("self")
            .word("outcome")
            .word("worker")
            .prose("error");
    for (SpanLine s : r.spans()) {
      UnaryOperator<String> look =
          switch (s.outcome()) {
            case "error", "lost" -> style::red;
            case "open" -> style::cyan;
            case "cancelled" -> style::yellow;
            default -> UnaryOperator.identity();
          };
      table.row(
          "  ".repeat(Math.min(s.depth(), 10)) + s.stage(),
          TextTable.styled(track(r, s), look),
          "+" + Durations.human(Math.max(0, s.startS() - r.startS())),
          Durations.human(s.durationS()) + (s.clockDisagrees() ? " !" : ""),
          Durations.human(s.selfS()),
          TextTable.styled(s.outcome(), look),
          s.worker(),
          s.error());
    }
    return table;
  }

  /** Where the work of spans stood when their processes were asked (contracts.md 3.20). */
  private static List<String> stacks(SessionReport r, Style style) {
    List<SpanLine> known = r.spans().stream().filter(s -> s.stack() != null).toList();
    List<String> lines = new ArrayList<>();
    for (SpanLine s : known.subList(0, Math.min(SHOWN_STACKS, known.size()))) {
      SpanStack stack = s.stack();
      String where = stack.summary() == null ? stack.frames().get(0) : stack.summary();
      lines.add(
          style.bold(Console.clean(s.stage()))
              + "  "
              + style.cyan(Console.clean(where))
              + style.dim("  " + when(s, stack)));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "");
      int more = known.size() - SHOWN_STACKS;
      lines.add(
          style.dim(
              (more > 0 ? "and " + more + " more; " : "") + "--format json lists all frames"));
    }
    return lines;
  }

  private static String when(SpanLine s, SpanStack stack) {
    String frames = stack.frames().size() + (stack.frames().size() == 1 ? " frame" : " frames");
    if (stack.atS() == null) {
      return frames;
    }
    double agoS = Math.max(0, s.startS() + s.durationS() - stack.atS());
    boolean open = s.endS() == null;
    return frames + ", " + Durations.human(agoS) + (open ? " ago" : " before its end");
  }

  private static String track(SessionReport r, SpanLine s) {
    double wall = Math.max(r.wallS(), 1e-9);
    double begin = (s.startS() - r.startS()) / wall;
    int from = (int) Math.max(0, Math.min(WATERFALL - 1, Math.floor(begin * WATERFALL)));
    int length = (int) Math.max(1, Math.round(s.durationS() / wall * WATERFALL));
    int to = Math.min(WATERFALL, from + length);
    String end = s.outcome().equals("open") ? "▶" : "";
    String bar = "━".repeat(Math.max(1, to - from - end.length())) + end;
    return "·".repeat(from) + bar + "·".repeat(Math.max(0, WATERFALL - from - bar.length()));
  }

  private static String sibling(Sibling s, Style style) {
    return Console.clean(s.session())
        + " "
        + style.status(s.status(), s.status())
        + " "
        + Durations.human(s.wallS())
        + (s.reward() == null ? "" : " reward " + Amounts.human(s.reward()));
  }

  private static List<String> events(SessionReport r, Console console) {
    List<String> lines = new ArrayList<>();
    if (r.events() == null) {
      return lines;
    }
    lines.add(console.style().bold("events") + " as the source wrote them");
    r.events().stream()
        .limit(SHOWN_EVENTS)
        .forEach(
            e ->
                lines.add(
                    console
                        .style()
                        .dim(
                            TextTable.cut(
                                e == null ? "(no longer in the file)" : Console.clean(e),
                                console.width()))));
    if (r.events().size() > SHOWN_EVENTS) {
      lines.add("… " + (r.events().size() - SHOWN_EVENTS) + " more (--format json lists all)");
    }
    return lines;
  }
}
