package io.rollscope.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsView;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SessionsView;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.SourcePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Colours and widths, which depend on the terminal. */
class TerminalTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Console console(Map<String, String> environment) {
    return new Console(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        environment,
        false);
  }

  // ---- colours ---------------------------------------------------------------------------------

  @Test
  void coloursAreForTerminals() {
    assertThat(console(Map.of("ROLLSCOPE_TTY", "1")).style().coloured()).isTrue();
    assertThat(console(Map.of()).style().coloured()).isFalse();
    assertThat(console(Map.of("ROLLSCOPE_TTY", "0")).style().coloured()).isFalse();
  }

  /** See no-color.org: any value that is not empty. */
  @Test
  void noColorIsObeyed() {
    assertThat(console(Map.of("ROLLSCOPE_TTY", "1", "NO_COLOR", "1")).style().coloured()).isFalse();
    assertThat(console(Map.of("ROLLSCOPE_TTY", "1", "NO_COLOR", "")).style().coloured()).isTrue();
    assertThat(console(Map.of("ROLLSCOPE_TTY", "1", "TERM", "dumb")).style().coloured()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"100,100", "39,40", "-5,40", "0,40", "x,80", "' 120 ',120", "99999999999,80"})
  void theWidthIsThatOfTheTerminal(String columns, int width) {
    assertThat(console(Map.of("ROLLSCOPE_TTY", "1", "COLUMNS", columns)).width()).isEqualTo(width);
  }

  @Test
  void aPipeHasNoWidth() {
    assertThat(console(Map.of("COLUMNS", "40")).width()).isEqualTo(Integer.MAX_VALUE);
  }

  // ---- tables ----------------------------------------------------------------------------------

  @Provide
  Arbitrary<List<List<String>>> rows() {
    Arbitrary<String> cell =
        Arbitraries.oneOf(
            Arbitraries.strings().withCharRange('a', 'z').ofMaxLength(60),
            Arbitraries.strings().all().ofMaxLength(20),
            Arbitraries.of(
                "",
                "数学".repeat(20),
                "e\u0301".repeat(30),
                "😀".repeat(15),
                "\u001b[31mred",
                "\u202e"));
    return cell.list().ofSize(4).list().ofMaxSize(6);
  }

  /** Ids of 128 bits, names in any script, on a laptop and on a wall. */
  @Property
  void noTableIsWiderThanItsTerminal(
      @ForAll("rows") List<List<String>> rows, @ForAll @IntRange(min = 40, max = 200) int width) {
    TextTable table = new TextTable().text("first").word("second").number("third").text("fourth");
    rows.forEach(
        r ->
            table.row(
                r.get(0),
                r.get(1),
                TextTable.styled(r.get(2), UnaryOperator.identity()),
                r.get(3)));

    for (String line : table.lines(width, new Style(true))) {
      assertThat(columns(line)).as(line).isLessThanOrEqualTo(width);
      assertThat(withoutColours(line)).doesNotContain("\u001b");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80, 100, 132, 200})
  void everyReportFitsTheTerminal(int width, @TempDir Path folder) throws IOException {
    RunData run = run(folder);
    ReportContext context = new ReportContext("source", run.id(), new SkippedLines(0, List.of()));
    Console console = console(Map.of("ROLLSCOPE_TTY", "1", "COLUMNS", String.valueOf(width)));
    LiveBoard board = new LiveBoard(run.table(), Scope.ALL);
    LiveReport live = board.report(context, run.table().newestInstant() + 1_000_000_000_000L, 20);
    HotspotsReport hotspots = HotspotsView.of(run.table(), Scope.ALL, context);
    List<String> lines = new ArrayList<>();
    lines.addAll(tables(LiveTable.lines(live, console)));
    lines.addAll(tables(HotspotsTable.lines(hotspots, console)));
    SessionsView.Input input =
        new SessionsView.Input(run.table(), run.counters(), run.barrierSpans(), null);
    lines.addAll(tables(SessionsTable.lines(SessionsView.of(input, Scope.ALL, context), console)));
    lines.addAll(
        tables(
            SessionTable.lines(
                SessionView.of(
                    run.table(),
                    0,
                    Nanos.UNKNOWN,
                    new SessionView.SourceLines(Map.of(), List.of("x".repeat(500))),
                    context),
                console)));

    assertThat(lines).hasSizeGreaterThan(20);
    for (String line : lines) {
      assertThat(columns(line)).as(line).isLessThanOrEqualTo(width);
    }
  }

  /** The parts between blank lines that begin with a header. */
  private static List<String> tables(List<String> lines) {
    List<String> tables = new ArrayList<>();
    boolean table = false;
    boolean first = true;
    for (String line : lines) {
      if (first) {
        table =
            withoutColours(line)
                .matches("(stage|open stage|session|metric|span|errors|events) .*|(stage|session)");
      }
      first = line.isEmpty();
      if (table && !first) {
        tables.add(line);
      }
    }
    return tables;
  }

  private static RunData run(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < 30; n++) {
      String id = "gsm8k:" + "190974130343714205054789310809563675026".repeat(n % 3 + 1) + n;
      String stage = n % 2 == 0 ? "xtuner.judger.judge" : "数学".repeat(12) + n;
      String error = n % 5 == 0 ? "\"ValueError: " + "很长的消息 ".repeat(20) + '"' : "null";
      lines.add(event(id, stage + ".start", n, "null"));
      if (n % 3 != 0) {
        lines.add(event(id, stage + (n % 5 == 0 ? ".error" : ".end"), n + 7, error));
      }
    }
    Files.write(folder.resolve("x.jsonl"), lines);
    FolderReader reader =
        new FolderReader(new SourcePath(folder.toString()), null, "a run", Long.MAX_VALUE);
    reader.readAll();
    return reader.runs().newest();
  }

  private static String event(String trace, String stage, int second, String error) {
    return "{\"trace_id\":\""
        + trace
        + "\",\"stage\":\""
        + stage
        + "\",\"timestamp_s\":"
        + (1781000000 + second)
        + ".5,\"status\":\"generating\",\"worker_rank\":"
        + second
        + ",\"train_step\":1,\"error_msg\":"
        + error
        + "}";
  }

  private static int columns(String line) {
    return AttributedString.fromAnsi(line).columnLength();
  }

  private static String withoutColours(String line) {
    return line.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  // ---- messages --------------------------------------------------------------------------------

  @Test
  void onlyTheFirstSkippedLinesAreShown() {
    List<SkippedLines.Example> examples = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      examples.add(new SkippedLines.Example("f.jsonl", i, "bad\u001b[31m"));
    }

    console(Map.of()).skipped(new SkippedLines(1_234, examples));

    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(7)
        .startsWith("warning: skipped 1,234 lines or files:", "  f.jsonl:1: bad\uFFFD[31m")
        .endsWith("  … and 1,229 more (--format json lists up to 20)");
  }

  @Test
  void oneSkippedFileIsShownWithoutALine() {
    console(Map.of())
        .skipped(new SkippedLines(1, List.of(new SkippedLines.Example("f.jsonl", 0, "empty"))));

    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("warning: skipped 1 line or file:", "  f.jsonl: empty");
  }

  /** A progress bar is for people at terminals. */
  @Test
  void aPipeSeesNoProgress() {
    try (ProgressBar bar = console(Map.of()).progress("reading", 100)) {
      bar.advance(50);
    }

    assertThat(err.size()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.0004,400 µs",
    "0.35,350 ms",
    "4.2,4.20 s",
    "42,42.0 s",
    "185,3m 05s",
    "7800,2h 10m",
    "352800,4d 02h",
    "-1,-",
    "NaN,-"
  })
  void durationsAreSaidAsPeopleSayThem(double seconds, String text) {
    assertThat(Durations.human(seconds)).isEqualTo(text);
  }
}
