package io.rollscope.cli.render;

import java.util.Locale;

/** Durations as people say them. */
public final class Durations {
  private Durations() {}

  private static String small(double seconds) {
    if (seconds < 0.5e-9) {
      return "0";
    }
    return seconds < 0.9995e-3
        ? String.format(Locale.ROOT, "%.3g µs", seconds * 1e6)
        : String.format(Locale.ROOT, "%.3g ms", seconds * 1e3);
  }

  /**
   * {@code 20.0 µs}, {@code 350 ms}, {@code 4.2 s}, {@code 3m 05s}, {@code 2h 10m}, {@code 4d 02h}.
   */
  public static String human(double seconds) {
    if (!(seconds >= 0)) {
      return "-";
    }
    if (seconds < 0.9995) {
      return small(seconds);
    }
    if (seconds < 59.95) {
      return String.format(Locale.ROOT, seconds < 9.995 ? "%.2f s" : "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    if (whole < 3600) {
      return String.format(Locale.ROOT, "%dm %02ds", whole / 60, whole % 60);
    }
    if (whole < 86_400) {
      return String.format(Locale.ROOT, "%dh %02dm", whole / 3600, whole / 60 % 60);
    }
    return String.format(Locale.ROOT, "%,dd %02dh", whole / 86_400, whole / 3600 % 24);
  }
}
