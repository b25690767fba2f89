package io.rollscope.cli.render;

import io.rollscope.core.diagnosis.FindingKind;
import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Evidence;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The findings as text: what is wrong now in full, what is over in short. */
public final class FindingsText {
  private static final String INDENT = "   ";
  private static final int SHOWN_VICTIMS = 5;

  /** Below this somebody who tells of it would add how sure they are. */
  private static final double SURE = 0.8;

  /** Times before that are no dates: they count from a process's own zero. */
  private static final double FIRST_DATE_S = 1e8;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  private final FindingsReport report;
  private final Style style;
  private final int width;
  private final List<String> lines = new ArrayList<>();

  /** A finding as a line of CSV. */
  public record Row(
      String id,
      String kind,
      String state,
      String subjectType,
      String subject,
      String stage,
      String steps,
      double sinceS,
      Double untilS,
      Double wallS,
      Double slotS,
      Double modelError,
      double confidence,
      int victimSessions,
      int victimTasks,
      String sentence,
      String advice) {}

  private FindingsText(FindingsReport report, Console console) {
    this.report = report;
    this.style = console.style();
    this.width = console.width();
  }

  public static List<Row> rows(FindingsReport report) {
    return report.findings().stream()
        .map(
            f ->
                new Row(
                    f.id(),
                    f.kind(),
                    f.state(),
                    f.subject().type(),
                    f.subject().id(),
                    f.stage(),
                    f.steps().stream().map(Object::toString).collect(Collectors.joining(" ")),
                    f.sinceS(),
                    f.untilS(),
                    f.cost().wallS(),
                    f.cost().slotS(),
                    f.cost().modelError(),
                    f.confidence(),
                    f.victims().sessions(),
                    f.victims().tasks(),
                    f.sentence(),
                    f.advice()))
        .toList();
  }

  public static List<String> lines(FindingsReport report, Console console) {
    FindingsText text = new FindingsText(report, console);
    text.write();
    return text.lines;
  }

  private void write() {
    List<Finding> open = report.findings().stream().filter(FindingsText::isOpen).toList();
    boolean saidByFirst = !open.isEmpty() && open.get(0).sentence().equals(report.sentence());
    if (!saidByFirst) {
      String headline = Console.clean(report.sentence());
      paragraph("", headline, report.healthy() ? style::green : style::bold);
    }
    int number = 0;
    for (Finding finding : open) {
      separate();
      number++;
      whole(number, finding);
    }
    List<Finding> over = report.findings().stream().filter(f -> !isOpen(f)).toList();
    if (!over.isEmpty()) {
      separate();
      lines.add(style.bold("over"));
      for (Finding finding : over) {
        number++;
        inShort(number, finding);
      }
    }
    separate();
    paragraph("", source(), style::dim);
    if (!report.notJudged().isEmpty()) {
      paragraph("", "Not judged: " + notJudged(), style::dim);
    }
  }

  private static boolean isOpen(Finding finding) {
    return finding.state().equals("open");
  }

  private void separate() {
    if (!lines.isEmpty()) {
      lines.add("");
    }
  }

  private void whole(int number, Finding f) {
    numbered(number, f.sentence(), style::bold);
    List<String> when = new ArrayList<>();
    when.add("since " + time(f.sinceS()) + " (" + human(report.asOfS() - f.sinceS()) + ")");
    if (!f.steps().isEmpty()) {
      when.add(steps(f.steps()));
    }
    if (f.confidence() < SURE) {
      when.add(String.format(Locale.ROOT, "%.0f%% sure", 100 * f.confidence()));
    }
    paragraph(INDENT, String.join(", ", when), UnaryOperator.identity());
    paragraph(INDENT, cost(f), UnaryOperator.identity());
    f.evidence().forEach(e -> paragraph(INDENT, evidence(e), UnaryOperator.identity()));
    if (f.victims().sessions() > 0) {
      paragraph(INDENT, victims(f), UnaryOperator.identity());
    }
    if (!f.advice().isEmpty()) {
      paragraph(INDENT, "→ " + Console.clean(f.advice()), style::cyan);
    }
    if (!f.replaces().isEmpty()) {
      String part = "includes " + Console.clean(String.join(", ", f.replaces()));
      paragraph(INDENT, part, style::dim);
    }
  }

  private void inShort(int number, Finding f) {
    numbered(number, f.sentence(), UnaryOperator.identity());
    double until = f.untilS() == null ? report.asOfS() : f.untilS();
    List<String> parts = new ArrayList<>();
    parts.add(time(f.sinceS()) + " to " + time(until) + " (" + human(until - f.sinceS()) + ")");
    if (!f.steps().isEmpty()) {
      parts.add(steps(f.steps()));
    }
    parts.add(f.cost().wallS() == null ? "cost unknown" : "cost " + human(f.cost().wallS()));
    if (f.victims().sessions() > 0) {
      parts.add(count(f.victims().sessions(), "session") + " affected");
    }
    paragraph(INDENT, String.join(", ", parts), style::dim);
  }

  private void numbered(int number, String sentence, UnaryOperator<String> look) {
    String mark = String.format(Locale.ROOT, "%-" + (INDENT.length() - 1) + "d ", number);
    List<String> wrapped = wrapped(Console.clean(sentence));
    for (int i = 0; i < wrapped.size(); i++) {
      lines.add((i == 0 ? style.bold(mark) : INDENT) + look.apply(wrapped.get(i)));
    }
  }

  /** Text on as many lines as it takes, styled line by line. */
  private void paragraph(String indent, String text, UnaryOperator<String> look) {
    wrapped(text).forEach(line -> lines.add(indent + look.apply(line)));
  }

  private List<String> wrapped(String text) {
    return Flow.lines(List.of(text.split(" ")), " ", width - INDENT.length());
  }

  // ---- parts of a finding ----------------------------------------------------------------------

  /** {@code costs 66.0 s per step, 4m 24s so far}. */
  private static String cost(Finding f) {
    Cost cost = f.cost();
    List<String> parts = new ArrayList<>();
    if (cost.wallS() == null) {
      parts.add("cost unknown");
    } else if (cost.wallS() == 0) {
      parts.add("costs the run no time so far");
    } else if (f.steps().size() > 1) {
      parts.add("costs " + human(cost.wallS() / f.steps().size()) + " per step");
      parts.add(human(cost.wallS()) + " so far");
    } else {
      parts.add("costs " + human(cost.wallS()) + " so far");
    }
    if (cost.slotS() != null && cost.slotS() > 0) {
      parts.add(human(cost.slotS()) + " of session slots");
    }
    if (cost.modelError() != null) {
      parts.add(String.format(Locale.ROOT, "give or take %.0f%%", 100 * cost.modelError()));
    }
    return String.join(", ", parts);
  }

  private static String evidence(Evidence e) {
    return Console.clean(
        e.what()
            + ": "
            + amount(e.value(), e.unit())
            + (e.usual() == null ? "" : ", usual " + amount(e.usual(), e.unit()))
            + (e.link() == null ? "" : " (" + e.link() + ")"));
  }

  private static String amount(double value, String unit) {
    if (unit == null) {
      return Amounts.human(value);
    }
    return switch (unit) {
      case "s" -> value < 0 ? "-" + human(-value) : human(value);
      case "share" -> String.format(Locale.ROOT, "%.1f%%", 100 * value);
      default -> {
        boolean one = value == 1 && unit.matches("[a-z]{2,}s");
        yield Amounts.human(value) + " " + (one ? unit.substring(0, unit.length() - 1) : unit);
      }
    };
  }

  /** {@code 61 sessions of 12 tasks wait for it: s-1, s-2, …}. */
  private static String victims(Finding f) {
    Victims victims = f.victims();
    boolean one = victims.sessions() == 1;
    String suffer =
        isStandstill(f.kind())
            ? (one ? " waits for it" : " wait for it")
            : (one ? " is affected" : " are affected");
    String examples =
        victims.examples().stream().limit(SHOWN_VICTIMS).collect(Collectors.joining(", "));
    boolean more = victims.sessions() > Math.min(SHOWN_VICTIMS, victims.examples().size());
    return Console.clean(
        count(victims.sessions(), "session")
            + (victims.tasks() > 1 ? " of " + count(victims.tasks(), "task") : "")
            + suffer
            + (examples.isEmpty() ? "" : ": " + examples + (more ? ", …" : "")));
  }

  private static boolean isStandstill(String kind) {
    return Arrays.stream(FindingKind.values())
        .anyMatch(known -> known.word().equals(kind) && known.isStandstill());
  }

  private static String count(int n, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", n, what, n == 1 ? "" : "s");
  }

  /** {@code step 3}, {@code steps 3 to 5}, {@code steps 3, 7}. */
  private static String steps(List<Long> steps) {
    long first = steps.get(0);
    long last = steps.get(steps.size() - 1);
    if (first == last) {
      return "step " + first;
    }
    return last - first == steps.size() - 1
        ? "steps " + first + " to " + last
        : "steps " + steps.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  // ---- what is said of all ---------------------------------------------------------------------

  private String source() {
    List<String> parts = new ArrayList<>();
    parts.add(Console.clean(report.run()));
    parts.add("scope " + Console.clean(report.scope()));
    if (report.coverage().steps() > 0) {
      parts.add(count(report.coverage().steps(), "step"));
    }
    parts.add("as of " + time(report.asOfS()));
    return String.join(", ", parts);
  }

  /** Kinds of which the same is said are named together. */
  private String notJudged() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    for (NotJudged one : report.notJudged()) {
      kinds.computeIfAbsent(one.why(), why -> new ArrayList<>()).add(one.kind());
    }
    return kinds.entrySet().stream()
        .map(e -> Console.clean(String.join(", ", e.getValue()) + ": " + sentence(e.getKey())))
        .collect(Collectors.joining(" "));
  }

  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  private static String human(double seconds) {
    return Durations.human(seconds);
  }

  /** As the clock on the wall shows it; with its day, if that is not the report's. */
  private String time(double seconds) {
    if (seconds < FIRST_DATE_S) {
      return String.format(Locale.ROOT, "+%.1f s", seconds);
    }
    ZonedDateTime time = local(seconds);
    boolean sameDay = time.toLocalDate().equals(local(report.asOfS()).toLocalDate());
    return (sameDay && seconds != report.asOfS() ? TIME : DAY_AND_TIME).format(time);
  }

  private static ZonedDateTime local(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * 1e3)).atZone(ZoneId.systemDefault());
  }
}
