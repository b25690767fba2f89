package io.rollscope.server.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import io.rollscope.server.scrape.TargetStatus;
import io.rollscope.server.scrape.book.Target;
import io.rollscope.server.scrape.book.TargetAddress;
import io.rollscope.server.scrape.book.TargetException;
import io.rollscope.server.scrape.book.TargetJson;
import io.rollscope.server.scrape.book.Targets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is scraped: listed, added, removed. */
final class TargetRoutes {
  static final String REMOVE = "target job";

  private final StoreAdmin admin;
  private final Targets targets;
  private final Supplier<List<TargetStatus>> status;

  TargetRoutes(StoreAdmin admin, Targets targets, Supplier<List<TargetStatus>> status) {
    this.admin = admin;
    this.targets = targets;
    this.status = status;
  }

  /** A target as the API lists it. */
  record Row(
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

    static Row of(TargetStatus status) {
      Target target = status.target();
      String run = target.experiment() == null ? target.run() : target.experiment().toString();
      return new Row(
          target.address().text(),
          target.job(),
          target.labels(),
          run,
          status.intervalS(),
          status.timeoutS(),
          target.source().word(),
          status.up(),
          status.sinceS(),
          status.lastScrapeS(),
          status.lastDurationS(),
          status.samples(),
          status.error());
    }
  }

  record All(List<Row> targets, List<String> problems) {}

  HttpResponse list(Call call) {
    return call.json(new All(status.get().stream().map(Row::of).toList(), targets.problems()));
  }

  /** Takes one target, or several under {@code targets}; all of them or none. */
  HttpResponse add(Call call) throws ApiException {
    JsonNode body = body(call);
    List<Target> added = new ArrayList<>();
    try {
      for (JsonNode row : body.path("targets").isArray() ? body.path("targets") : List.of(body)) {
        added.add(TargetJson.read(row, admin.nowNs()));
      }
      targets.put(added);
    } catch (TargetException | IOException e) {
      throw refusal(e);
    }
    Set<Target.Key> keys = added.stream().map(Target::key).collect(Collectors.toSet());
    return call.json(
        new All(
            status.get().stream()
                .filter(s -> keys.contains(s.target().key()))
                .map(Row::of)
                .toList(),
            targets.problems()));
  }

  HttpResponse remove(Call call) throws ApiException {
    String target = call.parameters().text("target");
    String job = call.parameters().text("job");
    try {
      int removed = targets.remove(TargetAddress.parse(target), job);
      if (removed == 0) {
        throw ApiException.notFound(
            "target: "
                + target
                + (job == null ? "" : " of job " + job)
                + " (expected: one that /api/v1/targets lists)");
      }
      return call.json(Map.of("removed", removed));
    } catch (TargetException | IOException e) {
      throw refusal(e);
    }
  }

  /** The body of a request, which must be an object. */
  static JsonNode body(Call call) throws ApiException {
    try {
      JsonNode body = Json.read(call.body());
      if (body.isObject()) {
        return body;
      }
    } catch (JsonProcessingException e) {
      // Said below: whatever it is, it is no object.
    }
    throw ApiException.badRequest("body: no JSON object (expected: one; see docs/api.md)");
  }

  /** What to answer when targets could not be changed. */
  static ApiException refusal(Exception failure) {
    if (failure instanceof TargetException e) {
      return switch (e.why()) {
        case WRONG -> ApiException.badRequest(e.getMessage());
        case UNKNOWN -> ApiException.notFound(e.getMessage());
        case ARCHIVED -> new ApiException(HttpStatus.CONFLICT, "archived", e.getMessage());
      };
    }
    return new ApiException(
        HttpStatus.SERVICE_UNAVAILABLE,
        "busy",
        "targets: cannot be written: " + failure + " (expected: a disk that works)");
  }
}
