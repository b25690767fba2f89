package io.rollscope.simulator.faults;

import io.rollscope.formats.json.JsonText;
import io.rollscope.simulator.faults.Truth.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes what is true of a run beside its data, in {@code truth.json}. */
final class TruthFile {
  private TruthFile() {}

  static void write(Truth truth, Path file) throws IOException {
    JsonText json = new JsonText().raw("{\"case\":").string(truth.name());
    json.raw(",\"format\":\"spool\",\"seed\":").number(truth.seed());
    json.raw(",\"healthy\":").raw(Boolean.toString(truth.isHealthy()));
    json.raw(",\"expected\":[");
    for (int i = 0; i < truth.expected().size(); i++) {
      write(json.raw(i == 0 ? "" : ","), truth, truth.expected().get(i), i == 0);
    }
    json.raw("],\"acceptable\":[");
    for (int i = 0; i < truth.acceptable().size(); i++) {
      write(json.raw(i == 0 ? "" : ","), truth.acceptable().get(i));
    }
    Cost first = truth.isHealthy() ? null : truth.expected().get(0);
    json.raw("],\"cost_wall_s\":").number(first == null ? 0.0 : first.wallS());
    json.raw(",\"cost_wall_s_per_step\":");
    numbers(json, first == null ? List.of() : first.stepS());
    json.raw(",\"cost_is\":").string(truth.isFinished() ? "total" : "so far");
    json.raw(",\"wall_s\":").number(truth.wallS());
    json.raw(",\"step_s\":");
    numbers(json, truth.stepS());
    json.raw(",\"sessions\":").number(truth.sessions());
    json.raw(",\"spans\":").number(truth.spans()).raw("}\n");
    Files.writeString(file, json.toString());
  }

  private static void write(JsonText json, Truth truth, Cost cost, boolean isPrimary) {
    Expected finding = cost.finding();
    json.raw("{\"kind\":").string(finding.kind());
    json.raw(",\"subject\":{\"type\":").string(finding.type()).raw(",\"id\":");
    json.string(finding.id()).raw(",\"also\":[");
    for (int i = 0; i < finding.also().size(); i++) {
      json.raw(i == 0 ? "" : ",").string(finding.also().get(i));
    }
    json.raw("]},\"stage\":").string(finding.stage()).raw(",\"steps\":");
    numbers(json, cost.steps());
    json.raw(",\"costly_steps\":");
    numbers(json, cost.costlySteps(truth.stepS()));
    json.raw(",\"cost_wall_s\":").number(cost.wallS()).raw(",\"cost_wall_s_per_step\":");
    numbers(json, cost.stepS());
    json.raw(",\"slight\":").raw(Boolean.toString(cost.isSlight()));
    json.raw(",\"has_cost\":").raw(Boolean.toString(cost.hasCost()));
    json.raw(",\"primary\":").raw(Boolean.toString(isPrimary)).raw('}');
  }

  private static void write(JsonText json, Acceptable one) {
    json.raw("{\"kind\":").string(one.kind());
    if (one.id() != null) {
      json.raw(",\"subject\":{\"id\":").string(one.id()).raw('}');
    }
    if (one.allSteps()) {
      json.raw(",\"steps\":\"all\"");
    }
    if (one.atMost() != null) {
      json.raw(",\"at_most\":").number(one.atMost().doubleValue());
    }
    json.raw('}');
  }

  private static void numbers(JsonText json, List<? extends Number> numbers) {
    json.raw('[');
    for (int i = 0; i < numbers.size(); i++) {
      json.raw(i == 0 ? "" : ",").raw(numbers.get(i).toString());
    }
    json.raw(']');
  }
}
