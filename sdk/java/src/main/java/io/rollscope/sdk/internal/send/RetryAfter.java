package io.rollscope.sdk.internal.send;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** HTTP's {@code Retry-After}: seconds, or a date. */
public final class RetryAfter {
  private RetryAfter() {}

  /** Null for what is neither. */
  public static Duration parse(String text) {
    return parse(text, Instant.now());
  }

  static Duration parse(String text, Instant now) {
    String value = text.trim();
    try {
      if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Duration.ofSeconds(Math.min(Long.parseLong(value), 1_000_000));
      }
      Instant date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration left = Duration.between(now, date);
      return left.isNegative() ? Duration.ZERO : left;
    } catch (DateTimeException | NumberFormatException e) {
      return null;
    }
  }
}
