package io.rollscope.simulator;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What is asked of {@link Generate}.
 *
 * @param events XTuner events, or AReaL perf events
 * @param sessions AReaL session rows
 * @param endsNow whether the run ends at the present, rather than at a fixed time in the past
 */
record GenerateOptions(
    TraceFormat format, long events, long sessions, long seed, Path out, boolean endsNow) {

  static final String USAGE =
      """
      usage: Generate --format xtuner|areal --events N --out DIR [--sessions M] [--seed S] [--until-now]
        --format     kind of trace folder
        --events     XTuner events, or AReaL perf events
        --sessions   AReaL session rows (default: as many as events)
        --seed       the same seed gives the same run (default: 1)
        --out        folder to write to; it must be empty or not exist
        --until-now  let the run end now, not in June 2026
      """;

  static GenerateOptions parse(String... args) {
    TraceFormat format = null;
    long events = -1;
    long sessions = -1;
    long seed = 1;
    Path out = null;
    boolean endsNow = false;
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals("--until-now")) {
        endsNow = true;
        continue;
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(option + ": (expected: a value, or another option)");
      }
      String value = args[++i];
      switch (option) {
        case "--format" -> format = format(value);
        case "--events" -> events = number(option, value, 1);
        case "--sessions" -> sessions = number(option, value, 0);
        case "--seed" -> seed = number(option, value, Long.MIN_VALUE);
        case "--out" -> out = Path.of(value);
        default -> throw new IllegalArgumentException(option + ": (expected: an option below)");
      }
    }
    if (format == null || events < 0 || out == null) {
      throw new IllegalArgumentException("(expected: --format, --events and --out)");
    }
    return new GenerateOptions(
        format, events, sessions < 0 ? events : sessions, seed, out, endsNow);
  }

  private static TraceFormat format(String value) {
    for (TraceFormat format : TraceFormat.values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(value)) {
        return format;
      }
    }
    throw new IllegalArgumentException("--format: " + value + " (expected: xtuner or areal)");
  }

  private static long number(String option, String value, long least) {
    try {
      long number = Long.parseLong(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, together with numbers that are too small
    }
    String expected = least == Long.MIN_VALUE ? "an integer" : "an integer >= " + least;
    throw new IllegalArgumentException(option + ": " + value + " (expected: " + expected + ")");
  }
}
