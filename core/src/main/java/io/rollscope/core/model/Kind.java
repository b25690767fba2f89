package io.rollscope.core.model;

import java.util.Locale;

/** What a span stands for ({@code rl.kind}). */
public enum Kind {
  BATCH,
  TASK,
  SESSION,
  PHASE,
  OP,
  STATE;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The word used in reports and on the wire. */
  public String word() {
    return word;
  }

  /**
   * Whether it only holds work together. Containers give wall time, coordinates and verdict; when
   * nothing else is open the time is a wait.
   */
  public boolean isContainer() {
    return this == BATCH || this == TASK || this == SESSION;
  }
}
