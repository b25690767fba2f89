package io.rollscope.core.view;

import java.util.List;

/**
 * What of the hotspots takes longer and is told only when asked for.
 *
 * @param nesting what ran inside what
 * @param workers the stages of each worker
 */
public record Detail(boolean nesting, boolean workers) {
  public static final Detail NONE = new Detail(false, false);
  public static final Detail ALL = new Detail(true, true);

  /** The words for {@link #named}; null for none. */
  public String words() {
    return nesting ? workers ? "nesting,workers" : "nesting" : workers ? "workers" : null;
  }

  /** Words with commas between. */
  public static Detail named(String words) {
    List<String> all = List.of(words.split(",", -1));
    if (!List.of("nesting", "workers").containsAll(all)) {
      throw new IllegalArgumentException(
          "detail: " + words + " (expected: nesting, workers, or both with a comma between)");
    }
    return new Detail(all.contains("nesting"), all.contains("workers"));
  }
}
