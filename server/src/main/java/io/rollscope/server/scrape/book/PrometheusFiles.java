package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * {@code rollscope.json} in a folder that a Prometheus watches: the same targets for it. Groups of
 * the file that are not ours stay, other files are not touched.
 */
public final class PrometheusFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Prometheus drops labels that begin so after it has read the file. */
  private static final String MARK = "__meta_rollscope";

  private static final Pattern PARAMETER = Pattern.compile("[a-zA-Z0-9_]+");

  private final Disk disk;
  private final Path file;
  private final String owner;
  private final AddressRule rule;
  private final Duration interval;
  private final UnaryOperator<Duration> timeoutOf;

  /**
   * @param owner tells this server's groups from those of another
   * @param rule which addresses Prometheus may be sent to
   * @param interval the usual one
   * @param timeoutOf the usual timeout of an interval
   */
  public PrometheusFiles(
      Disk disk,
      Path folder,
      String owner,
      AddressRule rule,
      Duration interval,
      UnaryOperator<Duration> timeoutOf) {
    this.disk = disk;
    this.file = folder.resolve("rollscope.json");
    this.owner = owner;
    this.rule = rule;
    this.interval = interval;
    this.timeoutOf = timeoutOf;
  }

  /**
   * Makes these the targets of the file. Those that Rollscope would not ask, and those that
   * Prometheus cannot be told of, are left out: it refuses a file as a whole.
   *
   * @return why each of those was left out
   */
  public List<String> write(List<Target> targets) throws IOException {
    List<String> leftOut = new ArrayList<>();
    byte[] before = content();
    ArrayNode groups = JSON.createArrayNode();
    for (JsonNode group : foreign(before)) {
      groups.add(group);
    }
    for (Target target : targets) {
      String refusal = rule.refusal(target.address());
      Map<String, String> parameters = parameters(target.address().url().getRawQuery());
      if (refusal == null && parameters == null) {
        refusal =
            "target: "
                + target.address()
                + " (expected: parameters with names of letters, digits and _, each once)";
      }
      if (refusal == null) {
        groups.add(group(target, parameters));
      } else {
        leftOut.add(refusal);
      }
    }
    byte[] after = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(groups);
    if (!Arrays.equals(before, after)) {
      WholeFile.replace(disk, file, after);
    }
    return leftOut;
  }

  /** The parameters of a query, or null if they cannot be written as labels. */
  private static Map<String, String> parameters(String rawQuery) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : rawQuery == null ? new String[0] : rawQuery.split("&")) {
      String[] parts = parameter.split("=", 2);
      String name = decoded(parts[0]);
      if (parameter.isEmpty()) {
        continue;
      }
      if (!PARAMETER.matcher(name).matches()
          || parameters.put(name, parts.length > 1 ? decoded(parts[1]) : "") != null) {
        return null;
      }
    }
    return parameters;
  }

  private static String decoded(String raw) {
    return URLDecoder.decode(raw, StandardCharsets.UTF_8);
  }

  private byte[] content() throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  private List<JsonNode> foreign(byte[] content) throws IOException {
    if (content.length == 0) {
      return List.of();
    }
    JsonNode root;
    try {
      root = JSON.readTree(content);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException(file + ": no JSON (expected: groups of targets; left as it is)", e);
    }
    if (!root.isArray()) {
      throw new IOException(file + ": no list (expected: groups of targets; left as it is)");
    }
    List<JsonNode> foreign = new ArrayList<>();
    for (JsonNode group : root) {
      if (!group.path("labels").path(MARK).asText().equals(owner)) {
        foreign.add(group);
      }
    }
    return foreign;
  }

  private ObjectNode group(Target target, Map<String, String> parameters) {
    ObjectNode group = JSON.createObjectNode();
    group.putArray("targets").add(target.address().hostAndPort());
    ObjectNode labels = group.putObject("labels");
    labels.put("job", target.job());
    target.labels().forEach(labels::put);
    labels.put("__scheme__", target.address().url().getScheme());
    labels.put("__metrics_path__", target.address().url().getPath());
    parameters.forEach((name, value) -> labels.put("__param_" + name, value));
    if (target.interval() != null || target.timeout() != null) {
      Duration every = target.interval() == null ? interval : target.interval();
      Duration within = target.timeout() == null ? timeoutOf.apply(every) : target.timeout();
      labels.put("__scrape_interval__", Durations.text(every));
      labels.put(
          "__scrape_timeout__", Durations.text(within.compareTo(every) > 0 ? every : within));
    }
    labels.put(MARK, owner);
    return group;
  }
}
