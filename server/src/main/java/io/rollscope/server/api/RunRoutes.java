package io.rollscope.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.server.access.Access;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs and their live boards. */
final class RunRoutes {
  static final String LIST = "q limit cursor";

  /** How long an answer about now may be taken for one about a moment later. */
  private static final long FRESH_NS = 5_000_000_000L;

  private final StoreAdmin admin;
  private final LiveStreams streams;
  private final Access access;
  private final String boot = Long.toHexString(System.nanoTime());

  RunRoutes(StoreAdmin admin, LiveStreams streams, Access access) {
    this.admin = admin;
    this.streams = streams;
    this.access = access;
  }

  record Runs(List<RunSummary> runs, String nextCursor) {}

  HttpResponse runs(Call call) throws ApiException {
    String text = call.parameters().text("q");
    int limit = call.parameters().limit();
    int offset = call.parameters().offset();
    List<RunSummary> found =
        admin.runs(run -> text == null || contains(run, text), offset, limit + 1L);
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
    return admin.knownRun(run).orElseThrow(() -> unknown(run));
  }

  private static ApiException unknown(String run) {
    return ApiException.notFound("run: " + run + " (expected: one that /api/v1/runs lists)");
  }

  private void check(Call call) throws ApiException {
    if (!admin.knows(call.part("run"))) {
      throw unknown(call.part("run"));
    }
  }

  /** A handler for runs that are known. */
  Route.Handler of(Route.Handler handler) {
    return call -> {
      check(call);
      return handler.answer(call);
    };
  }

  HttpResponse delete(Call call) throws ApiException, IOException {
    call.needPower(access, "deletion");
    RunSummary run = known(call);
    return call.json(Map.of("deleted_spans", admin.deleteRun(run.run())));
  }

  /** The command line's report, and where the next page begins. */
  record LivePage(@JsonUnwrapped LiveReport report, String nextCursor) {}

  HttpResponse live(Call call) throws ApiException, IOException {
    check(call);
    Parameters parameters = call.parameters();
    parameters.word("sort", "overdue");
    int limit = parameters.limit();
    int offset = parameters.offset();
    ReportRequest request = parameters.request().limit(limit + 1).cursor(String.valueOf(offset));
    String tag = tag();
    if (Answer.matches(call.headers(), tag)) {
      return Answer.notModified(tag);
    }
    LiveReport report = admin.reports(call.part("run")).live(request);
    boolean more = report.rows().size() > limit;
    String next = more ? parameters.cursorAt(offset + limit) : null;
    LivePage page =
        new LivePage(
            more ? report.withRows(List.copyOf(report.rows().subList(0, limit))) : report, next);
    return Answer.of(call.headers(), MediaType.JSON, Json.bytes(page), tag);
  }

  HttpResponse stream(Call call) throws ApiException, IOException {
    check(call);
    Parameters p = call.parameters();
    return streams.open(call, call.part("run"), p.request().limit(p.limit()));
  }

  private String tag() {
    long moment = admin.nowNs() / FRESH_NS;
    return "W/\"" + boot + "-" + admin.version() + "-" + moment + "\"";
  }
}
