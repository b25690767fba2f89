package io.rollscope.core.diagnosis;

import java.util.Locale;

/** How findings say numbers. */
final class Words {
  private static final long SECOND = 1_000_000_000L;

  private Words() {}

  /** {@code 0.42 s}, {@code 3.1 s}, {@code 18 s}, {@code 4 min 12 s}, {@code 2 h 05 min}. */
  static String duration(long ns) {
    double s = ns / 1e9;
    if (s < 1) {
      return String.format(Locale.ROOT, "%.2f s", s);
    }
    if (s < 9.95) {
      return String.format(Locale.ROOT, "%.1f s", s);
    }
    long whole = Math.round(s);
    if (whole < 60) {
      return whole + " s";
    }
    if (whole < 3_600) {
      return whole / 60 + " min " + twoDigits(whole % 60) + " s";
    }
    long minutes = Math.round(s / 60);
    return minutes / 60 + " h " + twoDigits(minutes % 60) + " min";
  }

  private static String twoDigits(long n) {
    return (n < 10 ? "0" : "") + n;
  }

  static String share(double part) {
    double percent = part * 100;
    return String.format(Locale.ROOT, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
  }

  /** {@code 1 session}, {@code 3 sessions}. */
  static String count(long n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  /** At most as much of a text as a line can show. */
  static String brief(String text) {
    int most = 120;
    String line = text.lines().findFirst().orElse("").strip();
    return line.length() <= most ? line : line.substring(0, most - 1) + "…";
  }

  static double seconds(long ns) {
    return (double) ns / SECOND;
  }
}
