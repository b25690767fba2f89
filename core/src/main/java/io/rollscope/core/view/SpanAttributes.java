package io.rollscope.core.view;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the spans of one session say, within bounds. */
public final class SpanAttributes {
  private static final int MOST_PER_SPAN = 200;
  private static final int LONGEST = 1_000;
  private static final int MOST_CHARACTERS = 2_000_000;

  /** Nothing is known. */
  public static final SpanAttributes NONE = new SpanAttributes();

  /**
   * Of one span.
   *
   * @param stack what they say of where it stands, or null; it is not among them
   * @param cut whether there is more than this
   */
  record Said(Map<String, String> attributes, SpanStack stack, boolean cut) {
    static final Said NOTHING = new Said(Map.of(), null, false);
  }

  private final Map<Integer, Said> byRow = new HashMap<>();
  private int characters;

  /**
   * Adds what one says.
   *
   * @param row the span's row in its table
   */
  public void add(int row, Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return;
    }
    if (characters >= MOST_CHARACTERS) {
      byRow.put(row, new Said(Map.of(), null, true));
      return;
    }
    Map<String, String> kept = new LinkedHashMap<>();
    boolean cut = false;
    for (Map.Entry<String, String> entry : attributes.entrySet()) {
      if (SpanStack.isPart(entry.getKey())) {
        continue;
      }
      if (kept.size() == MOST_PER_SPAN) {
        cut = true;
        break;
      }
      String value = entry.getValue();
      if (value != null && value.length() > LONGEST) {
        value = value.substring(0, LONGEST) + "…";
        cut = true;
      }
      kept.put(entry.getKey(), value);
      characters += entry.getKey().length() + (value == null ? 0 : value.length());
    }
    SpanStack stack = SpanStack.of(attributes);
    characters += stack == null ? 0 : stack.length();
    byRow.put(row, new Said(kept, stack, cut));
  }

  Said of(int row) {
    return byRow.getOrDefault(row, Said.NOTHING);
  }
}
