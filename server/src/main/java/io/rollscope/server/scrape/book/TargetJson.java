package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Targets as JSON objects, as the API takes and lists them and the book keeps them. */
public final class TargetJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> SETTINGS =
      Set.of("target", "job", "labels", "run", "interval_s", "timeout_s");

  /** What a list row has besides; senders may send rows back. */
  private static final Set<String> STATE =
      Set.of(
          "source",
          "up",
          "since_s",
          "last_scrape_s",
          "last_duration_s",
          "samples",
          "error",
          "project",
          "experiment_name");

  private TargetJson() {}

  /** A target as somebody sent it to the API. */
  public static Target read(JsonNode row, long nowNs) throws TargetException {
    if (!row.isObject()) {
      throw TargetException.wrong(
          "target", row.getNodeType(), "an object such as {\"target\":\"host:8000\"}");
    }
    for (Map.Entry<String, JsonNode> field : row.properties()) {
      if (!SETTINGS.contains(field.getKey()) && !STATE.contains(field.getKey())) {
        throw TargetException.wrong("key", field.getKey(), String.join(", ", SETTINGS));
      }
    }
    return read(row, Target.Source.API, null, nowNs);
  }

  static Target read(JsonNode row, Target.Source source, ExperimentId experiment, long nowNs)
      throws TargetException {
    Duration interval = TargetRules.interval(seconds(row, "interval_s"));
    return new Target(
        TargetAddress.parse(text(row, "target")),
        TargetRules.job(text(row, "job"), TargetRules.DEFAULT_JOB),
        TargetRules.labels(labels(row.path("labels"))),
        TargetRules.run(text(row, "run")),
        interval,
        TargetRules.timeout(seconds(row, "timeout_s"), interval),
        source,
        experiment,
        nowNs);
  }

  /** A text, or null where there is none. */
  public static String text(JsonNode object, String key) throws TargetException {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isValueNode()) {
      throw TargetException.wrong(key, value.getNodeType(), "a text");
    }
    return value.asText();
  }

  private static Double seconds(JsonNode object, String key) throws TargetException {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isNumber()) {
      throw TargetException.wrong(key, value, "a number of seconds");
    }
    return value.doubleValue();
  }

  /** Labels of an object; numbers and truth values become texts. */
  public static Map<String, String> labels(JsonNode object) throws TargetException {
    Map<String, String> labels = new LinkedHashMap<>();
    if (object.isMissingNode() || object.isNull()) {
      return labels;
    }
    if (!object.isObject()) {
      throw TargetException.wrong("labels", object.getNodeType(), "an object");
    }
    for (Map.Entry<String, JsonNode> label : object.properties()) {
      if (!label.getValue().isValueNode()) {
        throw TargetException.wrong(
            "label " + label.getKey(), label.getValue().getNodeType(), "a text");
      }
      labels.put(label.getKey(), label.getValue().isNull() ? "" : label.getValue().asText());
    }
    return labels;
  }

  /** What a target's owner said of it. */
  public static ObjectNode write(Target target) {
    ObjectNode row = JSON.createObjectNode();
    row.put("target", target.address().text());
    row.put("job", target.job());
    ObjectNode labels = row.putObject("labels");
    target.labels().forEach(labels::put);
    row.put("run", target.run());
    row.put("interval_s", seconds(target.interval()));
    row.put("timeout_s", seconds(target.timeout()));
    row.put("source", target.source().word());
    return row;
  }

  private static Double seconds(Duration length) {
    return length == null ? null : (Double) (length.toMillis() / 1e3);
  }
}
