package io.rollscope.store.segment;

import java.util.List;

/**
 * Something of the data folder that cannot be used and was set aside.
 *
 * @param files their names; those that still exist are in {@link Segments#DAMAGED}
 * @param reason what is wrong, for the operator
 * @param sinceNs when it was noticed
 * @param segment what the manifest said of it; null if that is not known
 */
public record Damage(List<String> files, String reason, long sinceNs, Segment segment) {
  public Damage {
    files = List.copyOf(files);
  }

  /** In one line. */
  public String text() {
    return String.join(", ", files) + ": " + reason;
  }
}
