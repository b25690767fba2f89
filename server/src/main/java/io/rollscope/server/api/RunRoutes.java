package io.rollscope.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.server.access.Access;
import io.rollscope.store.LiveQuery;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs and their live boards. */
final class RunRoutes {
  static final String LIST = "q limit cursor";

  /** How long an answer about now may be taken for one about a moment later. */
  private static final long FRESH_NS = 5_000_000_000L;

  private final Questions questions;
  private final LiveStreams streams;
  private final Access access;
  private final String boot = Long.toHexString(System.nanoTime());

  RunRoutes(Questions questions, LiveStreams streams, Access access) {
    this.questions = questions;
    this.streams = streams;
    this.access = access;
  }

  record Runs(List<RunSummary> runs, String nextCursor) {}

  HttpResponse runs(Call call) throws ApiException {
    String text = call.parameters().text("q");
    int limit = call.parameters().limit();
    int offset = call.parameters().offset();
    List<RunSummary> found =
        questions.runs(run -> text == null || contains(run, text), offset, limit + 1L);
    boolean more = found.size() > limit;
    return call.json(
        new Runs(
            more ? found.subList(0, limit) : found,
            more ? call.parameters().cursorAt(offset + limit) : null));
  }

  private static boolean contains(String text, String part) {
    return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  HttpResponse run(Call call) throws ApiException {
    return call.json(known(call));
  }

  private RunSummary known(Call call) throws ApiException {
    String run = call.part("run");
    return questions
        .knownRun(run)
        .orElseThrow(
            () ->
                ApiException.notFound("run: " + run + " (expected: one that /api/v1/runs lists)"));
  }

  /** A handler for runs that are known. */
  Route.Handler of(Route.Handler handler) {
    return call -> {
      known(call);
      return handler.answer(call);
    };
  }

  HttpResponse delete(Call call) throws ApiException, IOException {
    call.needPower(access, "deletion");
    RunSummary run = known(call);
    return call.json(Map.of("deleted_spans", questions.deleteRun(run.run())));
  }

  /** The command line's report, and where the next page begins. */
  record LivePage(@JsonUnwrapped LiveReport report, String nextCursor) {}

  HttpResponse live(Call call) throws ApiException {
    known(call);
    Parameters parameters = call.parameters();
    parameters.word("sort", "overdue");
    int limit = parameters.limit();
    int offset = parameters.offset();
    LiveQuery query = query(call, limit + 1, offset);
    String tag = tag();
    if (Answer.matches(call.headers(), tag)) {
      return Answer.notModified(tag);
    }
    LiveReport report = questions.live(query);
    boolean more = report.rows().size() > limit;
    String next = more ? parameters.cursorAt(offset + limit) : null;
    LivePage page =
        new LivePage(
            more ? report.withRows(List.copyOf(report.rows().subList(0, limit))) : report, next);
    return Answer.of(call.headers(), MediaType.JSON, Json.bytes(page), tag);
  }

  HttpResponse stream(Call call) throws ApiException {
    known(call);
    return streams.open(call, query(call, call.parameters().limit(), 0));
  }

  private static LiveQuery query(Call call, int limit, int offset) throws ApiException {
    Parameters p = call.parameters();
    return new LiveQuery(
        call.part("run"),
        p.scope(),
        p.status(),
        p.text("stage"),
        p.text("task"),
        p.text("worker"),
        p.text("q"),
        limit,
        offset);
  }

  private String tag() {
    long moment = questions.nowNs() / FRESH_NS;
    return "W/\"" + boot + "-" + questions.version() + "-" + moment + "\"";
  }
}
