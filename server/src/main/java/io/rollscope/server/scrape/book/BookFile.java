package io.rollscope.server.scrape.book;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollscope.store.disk.Disk;
import io.rollscope.store.disk.ReadFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code <data>/targets.json}: the book on disk. */
final class BookFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  private final Disk disk;
  private final Path file;

  BookFile(Disk disk, Path data) {
    this.disk = disk;
    this.file = data.resolve("targets.json");
  }

  /** What the file holds. */
  record Content(List<Target> targets, List<Experiment> experiments) {
    static final Content EMPTY = new Content(List.of(), List.of());
  }

  /**
   * Reads the file; one that cannot be understood is put aside, so that the server can start.
   *
   * @param problems gets a line about that
   */
  Content read(long nowNs, List<String> problems) throws IOException {
    byte[] bytes;
    try (ReadFile in = disk.openForRead(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(in.size()));
      in.read(buffer, 0);
      bytes = buffer.array();
    } catch (NoSuchFileException e) {
      return Content.EMPTY;
    }
    try {
      return parse(JSON.readTree(bytes));
    } catch (IOException | TargetException e) {
      Path aside = file.resolveSibling("targets.json.corrupt-" + nowNs / 1_000_000);
      disk.rename(file, aside);
      problems.add(
          file
              + ": "
              + firstLine(e)
              + " (expected: the list of targets; it is now "
              + aside.getFileName()
              + ", and the list is empty)");
      return Content.EMPTY;
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Content parse(JsonNode root) throws TargetException {
    if (root.path("version").asInt() != VERSION) {
      throw TargetException.wrong("version", root.path("version"), String.valueOf(VERSION));
    }
    List<Target> targets = new ArrayList<>();
    for (JsonNode row : root.path("targets")) {
      Target.Source source =
          "rl-insight".equals(TargetJson.text(row, "source"))
              ? Target.Source.RL_INSIGHT
              : Target.Source.API;
      targets.add(TargetJson.read(row, source, id(row), row.path("added_ns").asLong()));
    }
    List<Experiment> experiments = new ArrayList<>();
    for (JsonNode row : root.path("experiments")) {
      experiments.add(
          new Experiment(
              ExperimentId.required(
                  TargetJson.text(row, "project"), TargetJson.text(row, "experiment_name")),
              row.path("state").asText().equals("archived"),
              TargetJson.text(row, "created_at"),
              TargetJson.text(row, "updated_at")));
    }
    return new Content(targets, experiments);
  }

  private static ExperimentId id(JsonNode row) throws TargetException {
    return ExperimentId.of(
        TargetJson.text(row, "project"), TargetJson.text(row, "experiment_name"));
  }

  /** Makes this what the file holds, durably, or changes nothing. */
  void write(Content content) throws IOException {
    ObjectNode root = JSON.createObjectNode().put("version", VERSION);
    ArrayNode targets = root.putArray("targets");
    for (Target target : content.targets()) {
      ObjectNode row = TargetJson.write(target).put("added_ns", target.addedNs());
      putId(row, target.experiment());
      targets.add(row);
    }
    ArrayNode experiments = root.putArray("experiments");
    for (Experiment experiment : content.experiments()) {
      ObjectNode row = experiments.addObject();
      putId(row, experiment.id());
      row.put("state", experiment.state());
      row.put("created_at", experiment.createdAt());
      row.put("updated_at", experiment.updatedAt());
    }
    byte[] bytes = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
    WholeFile.replace(disk, file, bytes);
  }

  private static void putId(ObjectNode row, ExperimentId id) {
    if (id != null) {
      row.put("project", id.project()).put("experiment_name", id.experimentName());
    }
  }
}
