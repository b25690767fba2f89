package io.rollscope.core.view;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Errors grouped by where and why. Bounded: beyond a limit further kinds share one group. */
public final class ErrorGroups {
  private static final int MAX_GROUPS = 10_000;
  private static final int SHOWN = 20;
  private static final String OTHER = "(other errors)";

  /** One group, with the session it was first seen in. */
  public record ErrorGroup(String stage, String error, long count, String example) {}

  private record Key(String stage, String error) {}

  private record Seen(long count, String example) {}

  private final Map<Key, Seen> groups = new HashMap<>();

  void add(String stage, String error, String session) {
    Key key = new Key(stage, error == null ? "(no message)" : error);
    if (groups.size() >= MAX_GROUPS && !groups.containsKey(key)) {
      key = new Key(stage, OTHER);
    }
    groups.merge(key, new Seen(1, session), ErrorGroups::join);
  }

  void addAll(ErrorGroups others) {
    others.groups.forEach((key, seen) -> groups.merge(key, seen, ErrorGroups::join));
  }

  private static Seen join(Seen a, Seen b) {
    String example = a.example().compareTo(b.example()) <= 0 ? a.example() : b.example();
    return new Seen(a.count() + b.count(), example);
  }

  /** The most frequent ones. */
  List<ErrorGroup> top() {
    return groups.entrySet().stream()
        .map(
            e ->
                new ErrorGroup(
                    e.getKey().stage(),
                    e.getKey().error(),
                    e.getValue().count(),
                    e.getValue().example()))
        .sorted(
            Comparator.comparingLong(ErrorGroup::count)
                .reversed()
                .thenComparing(ErrorGroup::stage)
                .thenComparing(ErrorGroup::error))
        .limit(SHOWN)
        .toList();
  }
}
