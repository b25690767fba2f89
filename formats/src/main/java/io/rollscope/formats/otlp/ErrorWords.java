package io.rollscope.formats.otlp;

import io.rollscope.core.model.Outcome;

/**
 * An error text, {@code Type: message} or only one of the two, taken apart for OTLP's attributes.
 *
 * @param type or null
 * @param message or null
 */
public record ErrorWords(String type, String message) {
  private static final String CANCELLED = "CancelledError";

  /** Of a span that failed or was cancelled; a cancellation always says so in its type. */
  public static ErrorWords of(String text, Outcome outcome) {
    if (outcome == Outcome.CANCELLED && (text == null || !text.contains(CANCELLED))) {
      return new ErrorWords(CANCELLED, text);
    }
    int colon = text == null ? -1 : text.indexOf(": ");
    return colon > 0
        ? new ErrorWords(text.substring(0, colon), text.substring(colon + 2))
        : new ErrorWords(null, text);
  }
}
