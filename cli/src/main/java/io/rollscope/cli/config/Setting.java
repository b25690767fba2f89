package io.rollscope.cli.config;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was said about one option, and where, so that a complaint names the place.
 *
 * @param place {@code --port}, {@code ROLLSCOPE_PORT} or {@code FILE: port}
 * @param given whether it was given on the command line
 * @param values what was said; several where the option may be repeated
 */
public record Setting(String place, boolean given, List<String> values) {
  private static final Pattern AGE = Pattern.compile("([0-9]{1,9})\\s*([smhdw])");
  private static final Map<String, Long> SECONDS =
      Map.of("s", 1L, "m", 60L, "h", 3_600L, "d", 86_400L, "w", 604_800L);

  /** The one value. */
  public String text() {
    if (values.size() != 1 || values.get(0).isBlank()) {
      throw wrong("a single value");
    }
    return values.get(0).strip();
  }

  public int port() {
    try {
      int port = Integer.parseInt(text());
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // said below, together with numbers out of range
    }
    throw wrong("0 to 65535; 0 for a free one");
  }

  public boolean isTrue() {
    return switch (text().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "1" -> true;
      case "false", "no", "0" -> false;
      default -> throw wrong("true or false");
    };
  }

  /** A length of time such as {@code 7d}. */
  public Duration age() {
    Matcher age = AGE.matcher(text());
    if (age.matches() && Long.parseLong(age.group(1)) > 0) {
      return Duration.ofSeconds(Long.parseLong(age.group(1)) * SECONDS.get(age.group(2)));
    }
    throw wrong("a number with s, m, h, d or w, such as 7d");
  }

  /** The complaint about its value; a wrong call only if it was given in the call. */
  public RuntimeException wrong(String expected) {
    String value = String.join(", ", values);
    return given ? new WrongUsage(place, value, expected) : Failure.of(place, value, expected);
  }
}
