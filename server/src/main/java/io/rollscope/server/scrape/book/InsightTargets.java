package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an RL-Insight client registers.
 *
 * @param experiment null for none
 */
public record InsightTargets(ExperimentId experiment, String job, List<Target> targets) {

  /** Reads the body of a registration; labels of a target go before those of the request. */
  public static InsightTargets read(JsonNode body, long nowNs) throws TargetException {
    JsonNode rows = body.path("targets");
    if (!rows.isArray() || rows.isEmpty()) {
      throw TargetException.wrong("targets", "none", "a list of host:port, not empty");
    }
    ExperimentId experiment =
        ExperimentId.of(TargetJson.text(body, "project"), TargetJson.text(body, "experiment_name"));
    String job = TargetRules.job(TargetJson.text(body, "job_name"), TargetRules.INSIGHT_JOB);
    Map<String, String> common = TargetJson.labels(body.path("labels"));
    Map<String, Target> targets = new LinkedHashMap<>();
    for (JsonNode row : rows) {
      if (!row.isTextual() && !row.isObject()) {
        throw TargetException.wrong("target", row.getNodeType(), "a text or an object");
      }
      Map<String, String> labels = new LinkedHashMap<>(common);
      labels.putAll(row.isObject() ? TargetJson.labels(row.path("labels")) : Map.of());
      identify(labels, experiment);
      String address = row.isObject() ? TargetJson.text(row, "target") : row.textValue();
      Target target =
          new Target(
              TargetAddress.parse(address),
              job,
              TargetRules.labels(labels),
              null,
              null,
              null,
              Target.Source.RL_INSIGHT,
              experiment,
              nowNs);
      targets.put(target.address().text(), target);
    }
    return new InsightTargets(experiment, job, List.copyOf(targets.values()));
  }

  private static void identify(Map<String, String> labels, ExperimentId experiment)
      throws TargetException {
    identify(labels, "project", experiment == null ? null : experiment.project());
    identify(labels, "experiment_name", experiment == null ? null : experiment.experimentName());
  }

  private static void identify(Map<String, String> labels, String name, String value)
      throws TargetException {
    if (labels.containsKey(name) && !Objects.equals(labels.get(name), value)) {
      throw TargetException.wrong(
          "label " + name,
          labels.get(name) + " is reserved for the experiment's identity",
          value == null ? "project and experiment_name beside targets" : value + ", or no label");
    }
    if (value != null) {
      labels.put(name, value);
    }
  }
}
