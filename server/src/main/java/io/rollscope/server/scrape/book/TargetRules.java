package io.rollscope.server.scrape.book;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What jobs, labels and times of targets may be, whoever gives them. */
public final class TargetRules {
  /** The job of targets that name none. */
  public static final String DEFAULT_JOB = "metrics";

  /** The same for RL-Insight's clients. */
  public static final String INSIGHT_JOB = "trainer_metrics";

  static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
  static final Duration MOST_INTERVAL = Duration.ofDays(1);

  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Set<String> OURS = Set.of("job", "instance", "le", "quantile");
  private static final int MAX_LABELS = 32;
  private static final int MAX_VALUE = 500;

  private TargetRules() {}

  /** The job, stripped; the default for none. */
  static String job(String given, String usual) throws TargetException {
    String job = given == null || given.isBlank() ? usual : given.strip();
    return checked("job", job);
  }

  /** The run, stripped; null for none. */
  static String run(String given) throws TargetException {
    return given == null || given.isBlank() ? null : checked("run", given.strip());
  }

  private static String checked(String what, String text) throws TargetException {
    if (text.length() > MAX_VALUE || CONTROL.matcher(text).find()) {
      throw TargetException.wrong(
          what, shown(text), "at most " + MAX_VALUE + " visible characters");
    }
    return text;
  }

  /** Labels in order; those without a value are as good as absent. */
  static Map<String, String> labels(Map<String, String> given) throws TargetException {
    Map<String, String> labels = new TreeMap<>();
    for (Map.Entry<String, String> label : given.entrySet()) {
      String name = label.getKey();
      if (name.startsWith("__")) {
        throw TargetException.wrong("label", shown(name), "a name that does not begin with __");
      }
      if (!LABEL.matcher(name).matches() || name.length() > MAX_VALUE) {
        throw TargetException.wrong("label", shown(name), "letters, digits and underscores");
      }
      if (OURS.contains(name)) {
        throw TargetException.wrong("label", name, "none of job, instance, le and quantile");
      }
      if (!label.getValue().isEmpty()) {
        labels.put(name, checked("label " + name, label.getValue()));
      }
    }
    if (labels.size() > MAX_LABELS) {
      throw TargetException.wrong("labels", labels.size(), "at most " + MAX_LABELS);
    }
    return Collections.unmodifiableMap(labels);
  }

  /** An interval or null. */
  static Duration interval(Double seconds) throws TargetException {
    return seconds == null ? null : between("interval_s", seconds, MOST_INTERVAL);
  }

  /**
   * A timeout or null.
   *
   * @param interval of the same target, or null
   */
  static Duration timeout(Double seconds, Duration interval) throws TargetException {
    return seconds == null
        ? null
        : between("timeout_s", seconds, interval == null ? MOST_INTERVAL : interval);
  }

  private static Duration between(String what, double seconds, Duration most)
      throws TargetException {
    Duration length =
        seconds >= 0 && seconds <= MOST_INTERVAL.toSeconds()
            ? Duration.ofNanos(Math.round(seconds * 1e9))
            : Duration.ZERO;
    if (length.compareTo(LEAST_INTERVAL) < 0 || length.compareTo(most) > 0) {
      throw TargetException.wrong(what, seconds, "0.1 to " + most.toMillis() / 1e3 + " seconds");
    }
    return length;
  }

  private static String shown(String text) {
    String cut = text.length() > 60 ? text.substring(0, 60) + "…" : text;
    return CONTROL.matcher(cut).replaceAll("\uFFFD");
  }
}
