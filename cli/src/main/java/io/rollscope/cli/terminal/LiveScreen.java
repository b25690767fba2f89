package io.rollscope.cli.terminal;

import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.LiveTable;
import io.rollscope.cli.render.Style;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/** Shows live reports in place until the user leaves. */
public final class LiveScreen {
  private static final long REFRESH_MS = 500;
  private static final int MAX_ROWS = 20_000;

  /** Cursor visible, main screen, as xterm and all its descendants understand it. */
  private static final String SCREEN_BACK = "\033[?25h\033[?1049l";

  private final LiveSource source;
  private final Style style;
  private final RowFilter filter = new RowFilter();
  private int scroll;
  private boolean typing;
  private boolean help;
  private volatile boolean leaving;

  public LiveScreen(LiveSource source, Style style) {
    this.source = source;
    this.style = style;
  }

  /** Runs until q, Ctrl+C, the end of input or of the process. */
  public void show() throws IOException {
    CountDownLatch left = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(left), "rollscope-leave-screen"));
    try {
      showInTerminal();
    } finally {
      left.countDown();
    }
  }

  /**
   * Whoever ends the process gets the screen back. Not through JLine: it closes the terminal at the
   * same time.
   */
  private void leave(CountDownLatch left) {
    if (left.getCount() == 0) {
      return;
    }
    leaving = true;
    try {
      left.await(2 * REFRESH_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.out.print(SCREEN_BACK);
    System.out.flush();
  }

  private void showInTerminal() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      terminal.handle(Terminal.Signal.INT, s -> leaving = true);
      Attributes before = terminal.enterRawMode();
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      try {
        loop(terminal);
      } finally {
        terminal.puts(Capability.cursor_visible);
        terminal.puts(Capability.exit_ca_mode);
        terminal.setAttributes(before);
        terminal.flush();
      }
    }
  }

  private void loop(Terminal terminal) throws IOException {
    Display display = new Display(terminal, true);
    LiveReport report = source.report(MAX_ROWS);
    long next = System.nanoTime() + REFRESH_MS * 1_000_000;
    while (!leaving) {
      int width = Math.max(40, terminal.getWidth());
      int height = Math.max(8, terminal.getHeight());
      display.resize(height, width);
      display.update(frame(report, width, height), -1);
      long wait = Math.max(1, (next - System.nanoTime()) / 1_000_000);
      int key = terminal.reader().read(wait);
      if (key == NonBlockingReader.EOF) {
        return;
      }
      if (key == NonBlockingReader.READ_EXPIRED) {
        source.poll();
        report = source.report(MAX_ROWS);
        next = System.nanoTime() + REFRESH_MS * 1_000_000;
      } else if (!react(key, terminal, height)) {
        return;
      }
    }
  }

  /** Whether to go on. */
  private boolean react(int key, Terminal terminal, int height) throws IOException {
    if (typing) {
      typing = filter.type(key);
      scroll = 0;
      return key != 3;
    }
    help = key == '?' && !help;
    switch (key) {
      case 'q', 3 -> {
        return false;
      }
      case 's' -> filter.nextOrder();
      case 'f' -> filter.nextKind();
      case '/' -> typing = true;
      case 'j' -> scroll++;
      case 'k' -> scroll--;
      case ' ' -> scroll += height / 2;
      case 'g' -> scroll = 0;
      case 27 -> escape(terminal, height);
      default -> {}
    }
    return true;
  }

  private void escape(Terminal terminal, int height) throws IOException {
    NonBlockingReader in = terminal.reader();
    int second = in.read(20L);
    if (second != '[' && second != 'O') {
      filter.clear();
      return;
    }
    switch (in.read(20L)) {
      case 'A' -> scroll--;
      case 'B' -> scroll++;
      case '5' -> scroll -= height / 2;
      case '6' -> scroll += height / 2;
      case 'H' -> scroll = 0;
      default -> {}
    }
    while (in.peek(1L) == '~') {
      in.read(1L);
    }
  }

  private List<AttributedString> frame(LiveReport report, int width, int height) {
    List<String> lines = new ArrayList<>(LiveTable.head(report, width, style));
    if (source.trouble() != null) {
      lines.add(style.red("disconnected: " + Console.clean(source.trouble()) + "; trying again …"));
    }
    lines.add("");
    if (help) {
      lines.addAll(helpLines());
    } else {
      addTables(lines, report, width, height);
    }
    while (lines.size() < height - 1) {
      lines.add("");
    }
    List<String> shown = new ArrayList<>(lines.subList(0, height - 1));
    shown.add(footer(report));
    // The display cuts its list to the screen, so it must be one that can be changed.
    List<AttributedString> cut = new ArrayList<>();
    shown.forEach(l -> cut.add(AttributedString.fromAnsi(l).columnSubSequence(0, width)));
    return cut;
  }

  private void addTables(List<String> lines, LiveReport report, int width, int height) {
    List<String> open = LiveTable.open(report, style).lines(width, style);
    int room = Math.max(3, (height - lines.size()) / 2);
    if (open.size() > 1) {
      lines.addAll(open.subList(0, Math.min(open.size(), room)));
      lines.add("");
    }
    List<Row> rows = filter.apply(report.rows());
    int visible = Math.max(1, height - lines.size() - 2);
    scroll = Math.max(0, Math.min(scroll, Math.max(0, rows.size() - visible)));
    List<Row> page = rows.subList(scroll, Math.min(rows.size(), scroll + visible));
    lines.addAll(LiveTable.rows(page, style).lines(width, style));
    if (rows.isEmpty()) {
      lines.add(style.dim(report.rows().isEmpty() ? "no sessions yet" : "no session matches"));
    }
  }

  private static List<String> helpLines() {
    return List.of(
        "  s        sort by overdue, age, last event, session",
        "  f        show all, open or failed sessions",
        "  /        filter by text: session, stage, status, worker, task; Enter ends, Esc clears",
        "  ↑ ↓ j k  scroll; space, PgUp, PgDn by half a page; g to the top",
        "  ?        this help",
        "  q        quit",
        "",
        "  ! marks what has been open for more than twice its usual p95.");
  }

  private String footer(LiveReport report) {
    if (typing) {
      return style.bold("/" + filter.text() + "▏");
    }
    String state =
        String.format(
            Locale.ROOT,
            "sort: %s  show: %s%s",
            filter.order(),
            filter.kind(),
            filter.text().isEmpty() ? "" : "  filter: " + filter.text());
    int total = report.sessionSummary().get("total");
    if (total > report.rows().size()) {
      state += String.format(Locale.ROOT, "  of the first %,d", report.rows().size());
    }
    long skipped = report.skippedLines().count();
    String warning = skipped == 0 ? "" : style.yellow("  skipped " + skipped + " lines");
    return style.dim("q quit  s sort  f show  / filter  ? help    ") + state + warning;
  }
}
