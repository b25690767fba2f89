package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.core.time.Nanos;
import picocli.CommandLine.Option;

/** As of when. */
final class NowOption {
  @Option(
      names = "--now",
      paramLabel = "T",
      description =
          "Until when open work counts: seconds since 1970, or now (default: now while the run"
              + " goes on, else its last event).")
  private String now;

  boolean isGiven() {
    return now != null;
  }

  /** {@link Nanos#UNKNOWN} if it was not said. */
  long nanos() {
    if (now == null) {
      return Nanos.UNKNOWN;
    }
    if (now.equals("now")) {
      return Nanos.ofClock();
    }
    try {
      long nanos = Nanos.fromSeconds(Double.parseDouble(now));
      if (nanos != Nanos.UNKNOWN) {
        return nanos;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new WrongUsage("--now", now, "seconds since 1970, or now");
  }
}
