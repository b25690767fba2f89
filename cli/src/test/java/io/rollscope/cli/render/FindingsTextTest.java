package io.rollscope.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.Cost;
import io.rollscope.core.diagnosis.FindingsReport.Coverage;
import io.rollscope.core.diagnosis.FindingsReport.Evidence;
import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.diagnosis.FindingsReport.Subject;
import io.rollscope.core.diagnosis.FindingsReport.Victims;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

/** What is read at 2 a.m.: what is wrong, since when, what it costs, and what to do. */
class FindingsTextTest {
  private static final double NOON =
      LocalDateTime.of(2026, 7, 1, 12, 0).atZone(ZoneId.systemDefault()).toEpochSecond();

  private static final Finding HUNG =
      new Finding(
          "hung_call/s-17/1",
          "hung_call",
          "open",
          new Subject("session", "s-17"),
          "tool",
          List.of(3L),
          NOON - 310,
          null,
          new Cost(268.0, 1204.5, 0.04),
          1,
          "A call of tool in s-17 hangs.",
          List.of(
              new Evidence("age of the call", 310, 4.25, "s", "s-17"),
              new Evidence("open calls of its worker", 1, null, "calls", null)),
          new Victims(61, 12, List.of("s-1", "s-2", "s-3", "s-4", "s-5", "s-6")),
          "Look at the sandbox of cpu:1.",
          List.of());

  private static final Finding SLOW =
      new Finding(
          "slow_worker/gpu:3/1",
          "slow_worker",
          "open",
          new Subject("worker", "gpu:3"),
          "generate",
          List.of(1L, 2L, 3L, 4L),
          NOON - 3000,
          null,
          new Cost(264.0, null, null),
          0.6,
          "Generation on gpu:3 is slow.",
          List.of(new Evidence("share of slow calls", 0.5, 0.031, "share", null)),
          new Victims(1, 1, List.of("s-9")),
          "",
          List.of("slow_service/generate/1"));

  private static final Finding OVER =
      new Finding(
          "dead_process/agent:2/1",
          "dead_process",
          "closed",
          new Subject("process", "agent:2"),
          null,
          List.of(1L, 3L),
          NOON - 86_400,
          NOON - 600,
          Cost.UNKNOWN,
          1,
          "Process agent:2 died.",
          List.of(new Evidence("not shown of what is over", 1, null, null, null)),
          new Victims(34, 34, List.of()),
          "Not shown either.",
          List.of());

  private static FindingsReport report(
      boolean healthy, String sentence, List<Finding> findings, List<NotJudged> notJudged) {
    return new FindingsReport(
        "source",
        "grpo-1",
        "all",
        NOON,
        healthy,
        sentence,
        new Coverage(true, true, true, true, false, 4),
        findings,
        notJudged,
        List.of(),
        new SkippedLines(0, List.of()));
  }

  private static List<String> lines(FindingsReport report, Map<String, String> environment) {
    PrintStream none = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return FindingsText.lines(report, new Console(none, none, environment, false));
  }

  private static List<String> lines(FindingsReport report) {
    return lines(report, Map.of());
  }

  @Test
  void aHealthyRunTakesAFewLines() {
    String healthy = "Nothing needs attention. The slowest open call is at 1.4 × its p95.";

    assertThat(lines(report(true, healthy, List.of(), List.of())))
        .containsExactly(healthy, "", "grpo-1, scope all, 4 steps, as of 2026-07-01 12:00:00");
  }

  @Test
  void theHeadlineIsTheFirstFindingAndWhatIsOverComesLast() {
    FindingsReport report = report(false, HUNG.sentence(), List.of(HUNG, OVER, SLOW), List.of());

    assertThat(lines(report))
        .containsExactly(
            "1  A call of tool in s-17 hangs.",
            "   since 11:54:50 (5m 10s), step 3",
            "   costs 4m 28s so far, 20m 05s of session slots, give or take 4%",
            "   age of the call: 5m 10s, usual 4.25 s (s-17)",
            "   open calls of its worker: 1 call",
            "   61 sessions of 12 tasks wait for it: s-1, s-2, s-3, s-4, s-5, …",
            "   → Look at the sandbox of cpu:1.",
            "",
            "2  Generation on gpu:3 is slow.",
            "   since 11:10:00 (50m 00s), steps 1 to 4, 60% sure",
            "   costs 1m 06s per step, 4m 24s so far",
            "   share of slow calls: 50.0%, usual 3.1%",
            "   1 session is affected: s-9",
            "   includes slow_service/generate/1",
            "",
            "over",
            "3  Process agent:2 died.",
            "   2026-06-30 12:00:00 to 11:50:00 (23h 50m), steps 1, 3, cost unknown, 34 sessions"
                + " affected",
            "",
            "grpo-1, scope all, 4 steps, as of 2026-07-01 12:00:00");
  }

  @Test
  void whatIsOverDoesNotBecomeTheHeadline() {
    String sentence = "Nothing needs attention now. One finding is over.";

    assertThat(lines(report(true, sentence, List.of(OVER), List.of())))
        .startsWith(sentence, "", "over", "1  Process agent:2 died.");
  }

  @Test
  void kindsThatCannotBeJudgedForOneReasonAreNamedTogether() {
    List<NotJudged> not =
        List.of(
            new NotJudged("dead_process", "No process sends beats."),
            new NotJudged("slow_worker", "only one worker is known"),
            new NotJudged("hung_worker", "No process sends beats."));

    assertThat(lines(report(true, "Nothing needs attention.", List.of(), not)))
        .endsWith(
            "Not judged: dead_process, hung_worker: No process sends beats. slow_worker: only one"
                + " worker is known.");
  }

  /** The batch waits for another one anyway. */
  @Test
  void whatCostsOnlySlotsSaysSo() {
    Finding free =
        new Finding(
            HUNG.id(),
            HUNG.kind(),
            HUNG.state(),
            HUNG.subject(),
            HUNG.stage(),
            List.of(),
            HUNG.sinceS(),
            null,
            new Cost(0.0, 949.0, null),
            1,
            HUNG.sentence(),
            List.of(),
            Victims.NONE,
            "",
            List.of());
    List<Finding> many = Collections.nCopies(100, free);

    assertThat(lines(report(false, free.sentence(), many, List.of())))
        .startsWith(
            "1  A call of tool in s-17 hangs.",
            "   since 11:54:50 (5m 10s)",
            "   costs the run no time so far, 15m 49s of session slots",
            "",
            "2  A call of tool in s-17 hangs.")
        .contains("99 A call of tool in s-17 hangs.", "100 A call of tool in s-17 hangs.");
  }

  /** Times of a process's own clock are no dates. */
  @Test
  void aClockThatCountsFromItsOwnZeroShowsNoDates() {
    FindingsReport utc = report(true, "Nothing needs attention.", List.of(), List.of());
    FindingsReport own =
        new FindingsReport(
            utc.source(),
            utc.run(),
            utc.scope(),
            12.34,
            true,
            utc.sentence(),
            utc.coverage(),
            List.of(),
            List.of(),
            List.of(),
            utc.skippedLines());

    assertThat(lines(own)).endsWith("grpo-1, scope all, 4 steps, as of +12.3 s");
  }

  /** Names of tasks and errors come from whoever writes the training. */
  @Test
  void nothingInAFindingSteersTheTerminal() {
    Finding hostile =
        new Finding(
            "x",
            "hung_call",
            "open",
            new Subject("session", "x"),
            null,
            List.of(),
            NOON,
            null,
            Cost.UNKNOWN,
            1,
            "a\u001b[31mb\nc",
            List.of(new Evidence("d\u001b[2Je", 1, null, "\u0007", "\u202e")),
            new Victims(1, 1, List.of("f\u001b]0;g")),
            "h\rj",
            List.of("k\u001bl"));
    FindingsReport report =
        report(
            false,
            hostile.sentence(),
            List.of(hostile),
            List.of(new NotJudged("m\u001b", "n\u001b")));

    assertThat(lines(report))
        .allSatisfy(
            line ->
                assertThat(line.codePoints())
                    .noneMatch(c -> Character.isISOControl(c) || c == 0x202e));
  }

  @Test
  void linesFitTheTerminalAndColoursAreForTerminalsOnly() {
    FindingsReport report =
        report(
            false,
            HUNG.sentence(),
            List.of(HUNG, SLOW, OVER),
            List.of(new NotJudged("all", "The run has more spans than are looked at.")));
    List<String> wide = lines(report);
    List<String> narrow = lines(report, Map.of("ROLLSCOPE_TTY", "1", "COLUMNS", "40"));
    List<String> plain =
        lines(report, Map.of("ROLLSCOPE_TTY", "1", "COLUMNS", "40", "NO_COLOR", "1"));

    assertThat(wide).noneMatch(line -> line.contains("\u001b"));
    assertThat(plain).noneMatch(line -> line.contains("\u001b"));
    assertThat(narrow.get(0)).startsWith("\u001b[1m1  \u001b[0m\u001b[1mA call");
    assertThat(narrow)
        .allSatisfy(
            line ->
                assertThat(AttributedString.fromAnsi(line).columnLength()).isLessThanOrEqualTo(40));
    assertThat(words(plain)).isEqualTo(words(wide));
  }

  private static String words(List<String> lines) {
    return String.join(" ", lines).replaceAll("\\s+", " ");
  }

  @Test
  void aLineOfCsvHasAllThatFitsInOne() {
    FindingsReport report = report(false, HUNG.sentence(), List.of(SLOW), List.of());
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    CsvReport.write(
        FindingsText.Row.class,
        FindingsText.rows(report),
        new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "id,kind,state,subject_type,subject,stage,steps,since_s,until_s,wall_s,slot_s,"
                + "model_error,confidence,victim_sessions,victim_tasks,sentence,advice",
            "slow_worker/gpu:3/1,slow_worker,open,worker,gpu:3,generate,1 2 3 4,"
                + JsonReport.plain(NOON - 3000)
                + ",,264.0,,,0.6,1,1,Generation on gpu:3 is slow.,");
  }
}
