package io.rollscope.cli.remote;

import io.rollscope.cli.render.JsonReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a server scrapes. */
public final class RemoteTargets {
  private static final String PATH = "/api/v1/targets";

  private final Api server;

  public RemoteTargets(Api server) {
    this.server = server;
  }

  /**
   * A target as the API lists it.
   *
   * @param up null before the first scrape
   */
  public record Row(
      String target,
      String job,
      Map<String, String> labels,
      String run,
      double intervalS,
      double timeoutS,
      String source,
      Boolean up,
      Double sinceS,
      Double lastScrapeS,
      Double lastDurationS,
      Integer samples,
      String error) {

    public String state() {
      return up == null ? "new" : up ? "up" : "down";
    }
  }

  /** All of them, and what is wrong with where they come from. */
  public record All(List<Row> targets, List<String> problems) {}

  /** How many went. */
  public record Removed(int removed) {}

  public All list() throws IOException {
    return server.get(PATH, Map.of(), All.class);
  }

  /** Adds targets, all or none; their rows. */
  public All add(List<? extends Map<String, ?>> targets) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    JsonReport.writeCompact(Map.of("targets", targets), body);
    return server.post(PATH, body.toString(StandardCharsets.UTF_8), All.class);
  }

  /**
   * Removes a target.
   *
   * @param job null for whatever job
   */
  public Removed remove(String target, String job) throws IOException {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("target", target);
    parameters.put("job", job);
    return server.delete(PATH, parameters, Removed.class);
  }
}
