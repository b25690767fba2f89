package io.rollscope.store;

import java.util.List;
import java.util.Map;

/**
 * The request is durable.
 *
 * @param refused what the store could not take although it was well formed, by reason; empty as a
 *     rule
 * @param wantedStacks spans of which the sender of a beat is to record the stacks
 */
public record Receipt(Map<String, Long> refused, List<Long> wantedStacks) {
  public static final Receipt ALL_TAKEN = new Receipt(Map.of());

  /** Nothing is asked of the sender. */
  public Receipt(Map<String, Long> refused) {
    this(refused, List.of());
  }

  Receipt asking(List<Long> spans) {
    return spans.isEmpty() ? this : new Receipt(refused, spans);
  }
}
