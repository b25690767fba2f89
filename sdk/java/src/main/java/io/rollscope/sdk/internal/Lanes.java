package io.rollscope.sdk.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which states are open on which lanes, to notice two at once. */
public final class Lanes {
  private final Warnings warnings;
  private final Map<String, List<Entry>> open = new HashMap<>();

  public Lanes(Warnings warnings) {
    this.warnings = warnings;
  }

  /** A state that is open. */
  public static final class Entry {
    private final String lane;
    private final String state;

    private Entry(String lane, String state) {
      this.lane = lane;
      this.state = state;
    }
  }

  /** What came of entering: the entry, and another state that is open there, or null. */
  public record Entered(Entry entry, String other) {}

  public synchronized Entered enter(String lane, String state) {
    List<Entry> there = open.computeIfAbsent(lane, l -> new ArrayList<>(1));
    String other =
        there.stream().map(e -> e.state).filter(s -> !s.equals(state)).findFirst().orElse(null);
    if (other != null) {
      warnings.once(
          "lane " + lane, "lane " + lane + ": " + state + " begins while " + other + " is open");
    }
    Entry entry = new Entry(lane, state);
    there.add(entry);
    return new Entered(entry, other);
  }

  public synchronized void leave(Entry entry) {
    List<Entry> there = open.get(entry.lane);
    if (there != null && there.remove(entry) && there.isEmpty()) {
      open.remove(entry.lane);
    }
  }
}
