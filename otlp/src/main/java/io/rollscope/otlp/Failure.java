package io.rollscope.otlp;

import io.rollscope.core.model.Outcome;

/**
 * How a span failed.
 *
 * @param type of the error, or null
 * @param message null if none was given
 * @param status {@code rl.status}, or null
 */
public record Failure(String type, String message, String status) {

  /** Cancelled, when that is what the error says, else an error. */
  public Outcome outcome() {
    boolean cancelled = saysCancelled(type) || saysCancelled(message) || isCancelled(status);
    return cancelled ? Outcome.CANCELLED : Outcome.ERROR;
  }

  private static boolean saysCancelled(String text) {
    return text != null
        && (isCancelled(text)
            || text.contains("CancelledError")
            || text.contains("CancellationException")
            || text.contains("GeneratorExit"));
  }

  private static boolean isCancelled(String word) {
    return "cancelled".equalsIgnoreCase(word) || "canceled".equalsIgnoreCase(word);
  }
}
