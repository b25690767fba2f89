package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * {@code rollscope.json} in a folder that a Prometheus watches: the same targets for it. Groups of
 * the file that are not ours stay, other files are not touched.
 */
public final class PrometheusFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Prometheus drops labels that begin so after it has read the file. */
  private static final String MARK = "__meta_rollscope";

  private final Disk disk;
  private final Path file;
  private final String owner;
  private final Duration interval;
  private final UnaryOperator<Duration> timeoutOf;

  /**
   * @param owner tells this server's groups from those of another
   * @param interval the usual one
   * @param timeoutOf the usual timeout of an interval
   */
  public PrometheusFiles(
      Disk disk, Path folder, String owner, Duration interval, UnaryOperator<Duration> timeoutOf) {
    this.disk = disk;
    this.file = folder.resolve("rollscope.json");
    this.owner = owner;
    this.interval = interval;
    this.timeoutOf = timeoutOf;
  }

  /** Makes these the targets of the file. Returns whether something changed. */
  public boolean write(List<Target> targets) throws IOException {
    byte[] before = content();
    ArrayNode groups = JSON.createArrayNode();
    for (JsonNode group : foreign(before)) {
      groups.add(group);
    }
    targets.forEach(target -> groups.add(group(target)));
    byte[] after = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(groups);
    if (Arrays.equals(before, after)) {
      return false;
    }
    WholeFile.replace(disk, file, after);
    return true;
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

  private ObjectNode group(Target target) {
    ObjectNode group = JSON.createObjectNode();
    group.putArray("targets").add(target.address().hostAndPort());
    ObjectNode labels = group.putObject("labels");
    labels.put("job", target.job());
    target.labels().forEach(labels::put);
    labels.put("__scheme__", target.address().url().getScheme());
    labels.put("__metrics_path__", target.address().url().getPath());
    String query = target.address().url().getQuery();
    if (query != null) {
      for (String parameter : query.split("&")) {
        String[] parts = parameter.split("=", 2);
        labels.put("__param_" + parts[0], parts.length > 1 ? parts[1] : "");
      }
    }
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
