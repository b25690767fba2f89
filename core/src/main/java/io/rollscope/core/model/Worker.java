package io.rollscope.core.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where work ran.
 *
 * @param role what the process does in the run, or null when there is only one role
 * @param rank its number within the role, or null when unknown
 */
public record Worker(String role, Long rank) {

  /** Nothing is known of where it ran. */
  public static final Worker UNKNOWN = new Worker(null, null);

  private static final Pattern LABEL = Pattern.compile("(?:\\[(.*)])? ?(?:rank (-?\\d{1,18}))?");

  /** What {@link #label} names so. */
  public static Worker ofLabel(String label) {
    Matcher parts = LABEL.matcher(label);
    if (!parts.matches()) {
      return UNKNOWN;
    }
    return new Worker(parts.group(1), parts.group(2) == null ? null : Long.valueOf(parts.group(2)));
  }

  /** {@code rank 5}, {@code [actor] rank 5}, {@code [actor]}, or null when nothing is known. */
  public String label() {
    if (role == null && rank == null) {
      return null;
    }
    String place = rank == null ? "" : "rank " + rank;
    return role == null ? place : ("[" + role + "] " + place).trim();
  }
}
