package io.rollscope.store;

import java.util.Map;

/**
 * The request is durable.
 *
 * @param refused what the store could not take although it was well formed, by reason; empty as a
 *     rule
 */
public record Receipt(Map<String, Long> refused) {
  public static final Receipt ALL_TAKEN = new Receipt(Map.of());
}
