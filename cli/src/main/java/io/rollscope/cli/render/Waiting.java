package io.rollscope.cli.render;

import java.io.PrintStream;
import java.time.Duration;

/** Says on stderr that something is being waited for, if it takes more than a moment. */
public final class Waiting implements AutoCloseable {
  private static final Duration SILENT = Duration.ofMillis(500);
  private static final Duration EVERY = Duration.ofMillis(100);

  private final PrintStream err;
  private final String what;
  private final boolean visible;
  private Duration drawn = Duration.ZERO;

  Waiting(PrintStream err, String what, boolean visible) {
    this.err = err;
    this.what = what;
    this.visible = visible;
  }

  /** It has taken so long. */
  public void show(Duration waited) {
    if (visible && waited.compareTo(SILENT) > 0 && waited.minus(drawn).compareTo(EVERY) > 0) {
      drawn = waited;
      err.print("\r" + what + " … " + waited.toSeconds() + " s\u001b[K");
      err.flush();
    }
  }

  @Override
  public void close() {
    if (!drawn.isZero()) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
