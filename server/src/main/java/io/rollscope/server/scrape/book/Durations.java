package io.rollscope.server.scrape.book;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as Prometheus writes them: {@code 15s}, {@code 1m30s}, {@code 500ms}. */
final class Durations {
  private static final Pattern WHOLE = Pattern.compile("(\\d{1,9}(ms|[smhd]))+");
  private static final Pattern PART = Pattern.compile("(\\d+)(ms|[smhd])");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Durations() {}

  /** Null for null. */
  static Duration parse(String text) throws TargetException {
    if (text == null) {
      return null;
    }
    if (!WHOLE.matcher(text).matches()) {
      throw TargetException.wrong("time", text, "a length of time such as 15s");
    }
    long millis = 0;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      millis += Long.parseLong(parts.group(1)) * MILLIS.get(parts.group(2));
    }
    return Duration.ofMillis(millis);
  }

  static Double seconds(Duration length) {
    return length == null ? null : (Double) (length.toMillis() / 1e3);
  }

  static String text(Duration length) {
    return length.toMillis() % 1_000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }
}
