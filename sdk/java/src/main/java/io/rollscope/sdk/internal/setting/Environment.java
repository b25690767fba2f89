package io.rollscope.sdk.internal.setting;

import io.rollscope.sdk.internal.Warnings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Variables of the process. A bad one is a warning, never an end: it must not stop a training. */
public final class Environment {
  private final Map<String, String> variables;
  private final Warnings warnings;

  public Environment(Map<String, String> variables, Warnings warnings) {
    this.variables = variables;
    this.warnings = warnings;
  }

  /** The first of these variables that says something, or null. */
  public String text(String... names) {
    for (String name : names) {
      String value = variables.get(name);
      if (value != null && !value.isBlank()) {
        return value.strip();
      }
    }
    return null;
  }

  /** Null if nothing is said, or nothing that can be understood. */
  Boolean flag(String name) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes", "on" -> true;
      case "0", "false", "no", "off" -> false;
      default -> {
        warn(name, value, "1, true, yes or on; 0, false, no or off");
        yield null;
      }
    };
  }

  /** The first of these variables that is a whole number of at least that, or null. */
  Long number(long least, String... names) {
    for (String name : names) {
      String value = text(name);
      if (value != null) {
        try {
          long number = Long.parseLong(value);
          if (number >= least) {
            return number;
          }
        } catch (NumberFormatException e) {
          // Told below, as a number that is too small is.
        }
        warn(name, value, "a whole number of at least " + least);
      }
    }
    return null;
  }

  /** {@code key=value,key=value}, percent-encoded. */
  Map<String, String> pairs(String name) {
    Map<String, String> pairs = new LinkedHashMap<>();
    String value = text(name);
    if (value == null) {
      return pairs;
    }
    for (String pair : value.split(",")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(pair.substring(0, equals).strip(), decoded(pair.substring(equals + 1).strip()));
      } else if (!pair.isBlank()) {
        warn(name, pair.strip(), "key=value,key=value");
      }
    }
    return pairs;
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value; // Not encoded, then.
    }
  }

  void warn(String name, String value, String expected) {
    warnings.once(
        "variable " + name, name + ": " + value + " (expected: " + expected + "); not used");
  }
}
