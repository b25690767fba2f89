package io.rollscope.server.scrape.book;

/**
 * An experiment that has, or had, targets.
 *
 * @param createdAt ISO 8601, UTC
 */
public record Experiment(ExperimentId id, boolean isArchived, String createdAt, String updatedAt) {
  Experiment archived(boolean archived, String now) {
    return new Experiment(id, archived, createdAt, now);
  }

  Experiment touched(String now) {
    return new Experiment(id, isArchived, createdAt, now);
  }

  public String state() {
    return isArchived ? "archived" : "active";
  }
}
