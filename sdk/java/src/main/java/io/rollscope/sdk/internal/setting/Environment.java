package io.rollscope.sdk.internal.setting;

import io.rollscope.sdk.internal.Warnings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Variables of the process. A bad one is a warning, never an end: it must not stop a training. */
public final class Environment {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([KMGTkmgt]?)");
  private static final String UNITS = " KMGT";

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

  /** One of those words, or null. */
  String word(String name, String... known) {
    String value = text(name);
    if (value != null && !List.of(known).contains(value)) {
      warn(name, value, String.join(" or ", known));
      return null;
    }
    return value;
  }

  /** Bytes, with K, M, G or T for powers of 1024; at least that many, or null. */
  Long size(String name, long least) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    Matcher size = SIZE.matcher(value);
    if (size.matches()) {
      int unit = UNITS.indexOf(size.group(2).toUpperCase(Locale.ROOT));
      long most = Long.MAX_VALUE >> 10 * unit;
      long number = Long.parseLong(size.group(1));
      if (number <= most && number << 10 * unit >= least) {
        return number << 10 * unit;
      }
    }
    warn(name, value, "bytes, at least " + least + ", or a text like 20G");
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
