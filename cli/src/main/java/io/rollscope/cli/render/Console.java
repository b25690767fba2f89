package io.rollscope.cli.render;

import io.rollscope.core.view.ReportContext.SkippedLines;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where output goes: whether it is a terminal, how wide, and in colour or not. Colours follow
 * {@code NO_COLOR} and never enter a pipe.
 */
public final class Console {
  private static final int LEAST_WIDTH = 40;
  private static final char REPLACEMENT = '\uFFFD';

  /** Fillers and joiners that Unicode does not count among its format characters. */
  private static final String BLANKS = "\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0";

  private static final int SHOWN_SKIPS = 5;
  private static final int SHOWN_RUNS = 8;
  private static final int LONGEST_PROSE = 120;

  /** What Ray and others put around words on a terminal. */
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-?]*[ -/]*[@-~]");

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final boolean quiet;
  private final int width;
  private final Style style;
  private final boolean dumb;
  private final boolean canDraw;

  public Console(PrintStream out, PrintStream err, Map<String, String> environment, boolean quiet) {
    this.out = out;
    this.err = err;
    this.quiet = quiet;
    this.terminal = "1".equals(environment.get("ROLLSCOPE_TTY"));
    this.dumb = "dumb".equals(environment.get("TERM"));
    this.canDraw = isUtf8(environment);
    boolean plain = !terminal || !environment.getOrDefault("NO_COLOR", "").isEmpty() || dumb;
    this.style = new Style(!plain);
    this.width = terminal ? columns(environment.get("COLUMNS")) : Integer.MAX_VALUE;
  }

  /** The console of this process. */
  public static Console system(boolean quiet) {
    return new Console(System.out, System.err, System.getenv(), quiet);
  }

  /** What POSIX says of the locale: the first of these that is set counts. */
  private static boolean isUtf8(Map<String, String> environment) {
    return Stream.of("LC_ALL", "LC_CTYPE", "LANG")
        .map(name -> environment.getOrDefault(name, ""))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .map(value -> value.toLowerCase(Locale.ROOT).replace("-", ""))
        .orElse("")
        .contains("utf8");
  }

  private static int columns(String given) {
    try {
      return Math.max(LEAST_WIDTH, Integer.parseInt(given == null ? "80" : given.strip()));
    } catch (NumberFormatException e) {
      return 80;
    }
  }

  public PrintStream out() {
    return out;
  }

  public boolean isTerminal() {
    return terminal;
  }

  /** Whether a line of blocks can be drawn: in a terminal that is not a plain one and has them. */
  public boolean drawsBlocks() {
    return terminal && !dumb && canDraw;
  }

  /** Columns a line may take; without limit in a pipe. */
  public int width() {
    return width;
  }

  public Style style() {
    return style;
  }

  /** A progress bar on stderr, shown if the work takes more than a moment. */
  public ProgressBar progress(String what, long total) {
    return new ProgressBar(err, what, total, terminal && !quiet, true);
  }

  /** The same for work that is not counted in bytes. */
  public ProgressBar steps(String what, long total) {
    return new ProgressBar(err, what, total, terminal && !quiet, false);
  }

  /** One whose total becomes known on the way. */
  public ProgressBar progress(String what) {
    return progress(what, 0);
  }

  /** Tells on stderr for how long something is waited for. */
  public Waiting waiting(String what) {
    return new Waiting(err, what, terminal && !quiet);
  }

  /** What one may do next; only where a person reads it. */
  public void hint(String text) {
    if (terminal && !quiet) {
      out.println(style.dim(text));
      out.flush();
    }
  }

  /** Something the user should know, beside the answer. */
  public void note(String text) {
    out.flush();
    err.println("note: " + clean(text));
  }

  /** Which other runs could have been meant. */
  public void otherRuns(List<String> others) {
    if (!others.isEmpty()) {
      note(
          "other runs here: "
              + others.stream().limit(SHOWN_RUNS).collect(Collectors.joining(", "))
              + (others.size() > SHOWN_RUNS ? ", …" : "")
              + " (choose with --run)");
    }
  }

  /** Why the command fails. */
  public void error(String text) {
    out.flush();
    err.println("rollscope: " + clean(text));
  }

  /** What was refused while reading. */
  public void skipped(SkippedLines skipped) {
    if (skipped == null || skipped.count() == 0) {
      return;
    }
    out.flush();
    err.printf("warning: skipped %,d %s:%n", skipped.count(), lines(skipped.count()));
    int shown = 0;
    for (SkippedLines.Example e : skipped.examples()) {
      if (shown++ == SHOWN_SKIPS) {
        break;
      }
      String place = e.line() == 0 ? e.file() : e.file() + ":" + e.line();
      err.println("  " + clean(place) + ": " + clean(e.reason()));
    }
    if (skipped.count() > SHOWN_SKIPS) {
      err.printf(
          "  … and %,d more (--format json lists up to 20)%n", skipped.count() - SHOWN_SKIPS);
    }
  }

  private static String lines(long count) {
    return count == 1 ? "line or file" : "lines or files";
  }

  /** An error or a reason in one line: without its colours, and no longer than anybody reads. */
  static String prose(String text) {
    return TextTable.cut(clean(COLOURS.matcher(text).replaceAll("")), LONGEST_PROSE);
  }

  /** Text from a trace, without anything that steers a terminal or cannot be seen. */
  public static String clean(String text) {
    return clean(text, "");
  }

  /** The same, but with these characters left as they are. */
  static String clean(String text, String kept) {
    StringBuilder cleaned = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> isHidden(c) && kept.indexOf(c) < 0 ? REPLACEMENT : c)
        .forEach(cleaned::appendCodePoint);
    return cleaned.toString();
  }

  /** Controls, marks that turn or join text, separators of lines, and letters without a glyph. */
  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> BLANKS.indexOf(c) >= 0;
    };
  }
}
