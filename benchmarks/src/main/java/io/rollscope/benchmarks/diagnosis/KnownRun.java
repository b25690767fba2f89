package io.rollscope.benchmarks.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is true of a run, as its {@code truth.json} has it.
 *
 * @param faults most important first; none if it is healthy
 * @param acceptable findings that are no false alarm
 */
record KnownRun(
    String name, List<Fault> faults, List<Acceptable> acceptable, double wallS, int steps) {

  /**
   * What should be found.
   *
   * @param names of its subject; any will do if the subject is the run
   * @param wallS what it cost
   * @param isSlight whether silence is right, too
   * @param hasCost whether the cost can be told from a trace
   */
  record Fault(
      String kind,
      List<String> names,
      boolean isRun,
      double wallS,
      boolean isSlight,
      boolean hasCost) {}

  /**
   * What may be found.
   *
   * @param id whom it may blame, or null: anybody
   * @param allSteps whether only if it says so of nearly all steps
   * @param atMost only if it says to cost at most this part of the run
   */
  record Acceptable(String kind, String id, boolean allSteps, double atMost) {}

  boolean isHealthy() {
    return faults.isEmpty();
  }

  double stepS() {
    return wallS / steps;
  }

  static KnownRun read(Path file) throws IOException {
    JsonNode truth = new ObjectMapper().readTree(file.toFile());
    List<Fault> faults = new ArrayList<>();
    truth.get("expected").forEach(node -> faults.add(fault(node)));
    List<Acceptable> acceptable = new ArrayList<>();
    truth.get("acceptable").forEach(node -> acceptable.add(acceptable(node)));
    return new KnownRun(
        truth.get("case").asText(),
        List.copyOf(faults),
        List.copyOf(acceptable),
        truth.get("wall_s").asDouble(),
        truth.get("step_s").size());
  }

  private static Fault fault(JsonNode node) {
    JsonNode subject = node.get("subject");
    List<String> names = new ArrayList<>(List.of(subject.get("id").asText()));
    subject.path("also").forEach(name -> names.add(name.asText()));
    return new Fault(
        node.get("kind").asText(),
        List.copyOf(names),
        subject.get("type").asText().equals("run"),
        node.get("cost_wall_s").asDouble(),
        node.path("slight").asBoolean(false),
        node.path("has_cost").asBoolean(true));
  }

  private static Acceptable acceptable(JsonNode node) {
    JsonNode id = node.path("subject").path("id");
    return new Acceptable(
        node.get("kind").asText(),
        id.isMissingNode() ? null : id.asText(),
        node.path("steps").asText().equals("all"),
        node.path("at_most").asDouble(Double.POSITIVE_INFINITY));
  }
}
