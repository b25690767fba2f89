package io.rollscope.cli.render;

import java.io.PrintStream;

/** A bar with rate and time left, for work that takes more than a moment. */
public final class ProgressBar implements AutoCloseable {
  private static final long SILENT_NS = 500_000_000;
  private static final long EVERY_NS = 100_000_000;
  private static final int WIDTH = 30;

  private final PrintStream err;
  private final String what;
  private long total;
  private final boolean visible;
  private final boolean bytes;
  private final long started = System.nanoTime();
  private long done;
  private String more = "";
  private long drawn;

  /**
   * @param bytes whether what is counted are bytes, so that their rate can be shown
   */
  ProgressBar(PrintStream err, String what, long total, boolean visible, boolean bytes) {
    this.err = err;
    this.what = what;
    this.total = Math.max(1, total);
    this.visible = visible;
    this.bytes = bytes;
  }

  /** So much more is done. */
  public synchronized void advance(long work) {
    done += work;
    drawNowAndThen();
  }

  /**
   * So many bytes are done of so many.
   *
   * @param further what else is to be said, or nothing
   */
  public synchronized void at(long bytes, long ofAll, String further) {
    done = bytes;
    total = Math.max(1, ofAll);
    more = further.isEmpty() ? "" : "  " + further;
    drawNowAndThen();
  }

  private void drawNowAndThen() {
    long now = System.nanoTime();
    if (visible && now - started > SILENT_NS && now - drawn > EVERY_NS) {
      drawn = now;
      draw(now);
    }
  }

  private void draw(long now) {
    double part = Math.min(1, (double) done / total);
    double seconds = (now - started) / 1e9;
    double rate = done / seconds;
    int filled = (int) (part * WIDTH);
    err.printf(
        "\r%s %s%s %3.0f%%%s%s  %s left \u001b[K",
        what,
        "█".repeat(filled),
        "░".repeat(WIDTH - filled),
        part * 100,
        bytes ? String.format("  %.0f MB/s", rate / 1e6) : "",
        more,
        Durations.human((total - done) / Math.max(1, rate)));
    err.flush();
  }

  @Override
  public void close() {
    if (drawn != 0) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
