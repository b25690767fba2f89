package io.rollscope.server.scrape.book;

/** What RL-Insight tells experiments by; case counts. */
public record ExperimentId(String project, String experimentName) {
  private static final int MAX = 500;

  /** Of what a client sent; null when both are missing or blank. */
  public static ExperimentId of(String project, String experimentName) throws TargetException {
    String first = project == null ? "" : project.strip();
    String second = experimentName == null ? "" : experimentName.strip();
    if (first.isEmpty() && second.isEmpty()) {
      return null;
    }
    if (first.isEmpty() || second.isEmpty()) {
      throw TargetException.wrong(
          "identity",
          first.isEmpty() ? "experiment_name without project" : "project without experiment_name",
          "both of them, or none");
    }
    if (first.length() > MAX || second.length() > MAX) {
      throw TargetException.wrong(
          "identity", "a name of more than " + MAX + " characters", "shorter ones");
    }
    return new ExperimentId(first, second);
  }

  /** The same, for what makes no sense without one. */
  public static ExperimentId required(String project, String experimentName)
      throws TargetException {
    ExperimentId id = of(project, experimentName);
    if (id == null) {
      throw TargetException.wrong("identity", "none", "project and experiment_name, not blank");
    }
    return id;
  }

  /** As its run is called. */
  @Override
  public String toString() {
    return project + "/" + experimentName;
  }
}
