package io.rollscope.formats.xtuner;

import io.rollscope.core.model.Coordinates;
import java.util.Objects;

/**
 * Which sessions of one file are samples of one item. XTuner does not say, but begins to generate
 * all of them at once. A group has the id of its first session.
 */
final class InferredGroups {
  /** The lines of a group follow each other this closely (contracts.md 2.12). */
  private static final long TOGETHER_NS = 500_000;

  private String group;
  private Coordinates at;
  private long lastNs;

  /** So many other lines follow; a group is written without any in between. */
  void passOver(int lines) {
    if (lines > 0) {
      group = null;
    }
  }

  /** The group of a session whose generation begins; lines come in the order of the file. */
  String groupOf(String session, Coordinates place, long timeNs) {
    boolean goesOn =
        group != null
            && timeNs >= lastNs
            && timeNs - lastNs <= TOGETHER_NS
            && Objects.equals(place.batch(), at.batch())
            && Objects.equals(place.trainStep(), at.trainStep())
            && Objects.equals(place.modelStep(), at.modelStep())
            && Objects.equals(place.futureStep(), at.futureStep())
            && Objects.equals(place.taskName(), at.taskName());
    group = goesOn ? group : session;
    at = place;
    lastNs = timeNs;
    return group;
  }
}
