package io.rollscope.sdk;

import java.time.Duration;

/**
 * What became of a request.
 *
 * @param outcome whether it arrived
 * @param rejected how many items of a request that arrived were refused
 * @param retryAfter when to come again, or null if that is up to the sender
 * @param message why, in words; empty if there is nothing to say
 * @param wantStack ids of spans, with commas between them, of which the other side wants to know
 *     where their work stands; empty as a rule
 */
public record Sent(
    Outcome outcome, long rejected, Duration retryAfter, String message, String wantStack) {

  /** Whether it arrived. */
  public enum Outcome {
    ARRIVED,
    /** The other side wants it later. */
    LATER,
    /** It will never be taken. */
    REFUSED,
    /** Something answered, but not as a collector does; a few more attempts are worth it. */
    UNCLEAR
  }

  private static final Sent ALL = new Sent(Outcome.ARRIVED, 0, null, "", "");

  public static Sent all() {
    return ALL;
  }

  public static Sent partly(long rejected, String message) {
    return new Sent(Outcome.ARRIVED, rejected, null, message, "");
  }

  /**
   * @param after or null
   */
  public static Sent later(Duration after, String message) {
    return new Sent(Outcome.LATER, 0, after, message, "");
  }

  /** The same, with what a server says in the header {@code rollscope-want-stack}. */
  public Sent wantingStack(String spanIds) {
    return new Sent(outcome, rejected, retryAfter, message, spanIds);
  }

  public static Sent unclear(String message) {
    return new Sent(Outcome.UNCLEAR, 0, null, message, "");
  }

  public static Sent refused(String message) {
    return new Sent(Outcome.REFUSED, 0, null, message, "");
  }
}
