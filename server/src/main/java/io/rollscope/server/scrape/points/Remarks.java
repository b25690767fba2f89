package io.rollscope.server.scrape.points;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What was left out of a scrape and why, each reason once with a count. Bounded. */
public final class Remarks {
  private static final int MOST = 20;
  private static final int SHOWN = 3;

  private final Map<String, Integer> counts = new LinkedHashMap<>();

  public void add(String what) {
    if (counts.size() < MOST || counts.containsKey(what)) {
      counts.merge(what, 1, Integer::sum);
    }
  }

  /** All in one line, or null when there are none. */
  public String text() {
    if (counts.isEmpty()) {
      return null;
    }
    String shown =
        counts.entrySet().stream()
            .limit(SHOWN)
            .map(e -> e.getValue() == 1 ? e.getKey() : e.getValue() + " × " + e.getKey())
            .collect(Collectors.joining("; "));
    return counts.size() > SHOWN ? shown + "; …" : shown;
  }
}
