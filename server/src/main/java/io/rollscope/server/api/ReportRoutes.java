package io.rollscope.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.report.SlowReportException;
import io.rollscope.core.report.StepScope;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.Detail;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionColumns;
import io.rollscope.core.view.SessionListReport;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.TimelineReport;
import io.rollscope.core.view.TimelineReport.By;
import io.rollscope.formats.chrome.SessionsConverter;
import io.rollscope.server.access.Access;
import io.rollscope.store.query.TraceReport;
import io.rollscope.store.sql.SqlRefusedException;
import io.rollscope.store.sql.SqlUnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;

/** Reports over stored data, and SQL. */
final class ReportRoutes {
  static final String WINDOW = "from to";
  static final String TIMELINE = "by budget";
  static final String OCCUPANCY = "buckets";
  static final String FINDINGS = "step";
  static final String LIMIT = "limit";
  static final String HOTSPOTS = "detail";
  static final String SESSIONS = "sort batch_size as budget summary";

  private static final int DEFAULT_BUCKETS = 200;
  private static final int MAX_BUCKETS = 2_000;
  private static final int MAX_BATCH_SIZE = 1_000_000;

  private final StoreAdmin admin;
  private final Access access;

  ReportRoutes(StoreAdmin admin, Access access) {
    this.admin = admin;
    this.access = access;
  }

  /** A report whose arguments are checked where it is made, too. */
  @FunctionalInterface
  interface Report<T> {
    T make() throws SQLException, IOException, ApiException;
  }

  static <T> T ask(Report<T> report) throws SQLException, IOException, ApiException {
    try {
      return report.make();
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(e.getMessage());
    } catch (SlowReportException | SQLTimeoutException e) {
      throw new ApiException(
          HttpStatus.SERVICE_UNAVAILABLE,
          "too_slow",
          "question: takes too long (expected: one about less; scope, batch or filters narrow it)");
    }
  }

  private RunReports run(Call call) {
    return admin.reports(call.part("run"));
  }

  HttpResponse hotspots(Call call) throws ApiException, SQLException, IOException {
    ReportRequest request = call.parameters().request();
    String detail = call.parameters().text("detail");
    return call.json(
        ask(
            () ->
                run(call)
                    .hotspots(
                        request.detail(detail == null ? Detail.NONE : Detail.named(detail)))));
  }

  /** How the sessions fared, and a page of them. */
  record Sessions(
      @JsonUnwrapped SessionsReport report,
      long total,
      List<SessionListReport.Row> rows,
      String nextCursor) {}

  HttpResponse sessions(Call call) throws ApiException, SQLException, IOException {
    Parameters p = call.parameters();
    ReportRequest request = p.request();
    if (p.word("as", "rows", "columns").equals("columns")) {
      return sessionColumns(call, request);
    }
    p.refuse("budget", "as=rows");
    int size = p.number("batch_size", 0, 1, MAX_BATCH_SIZE);
    ReportRequest list = request.sort(p.text("sort")).limit(p.limit()).cursor(p.text("cursor"));
    boolean summary = p.word("summary", "true", "false").equals("true");
    return call.json(
        ask(
            () -> {
              SessionListReport page = run(call).sessionList(list);
              if (!summary) {
                return new SessionPage(page.total(), page.rows(), page.cursor());
              }
              SessionsReport report =
                  run(call).sessions(request.batchSize(size == 0 ? null : size));
              return new Sessions(report, page.total(), page.rows(), page.cursor());
            }));
  }

  /** A page of them alone. */
  record SessionPage(long total, List<SessionListReport.Row> rows, String nextCursor) {}

  private HttpResponse sessionColumns(Call call, ReportRequest request)
      throws ApiException, SQLException, IOException {
    Parameters p = call.parameters();
    for (String name : List.of("sort", "limit", "cursor", "batch_size", "summary")) {
      p.refuse(name, "as=columns");
    }
    int budget = p.number("budget", SessionColumns.DEFAULT_BUDGET, 1, SessionColumns.MAX_BUDGET);
    return call.json(ask(() -> run(call).sessionColumns(request.limit(budget))));
  }

  HttpResponse session(Call call) throws ApiException, SQLException, IOException {
    String session = call.part("session");
    ReportRequest request = call.parameters().request();
    return call.json(
        ask(
            () ->
                run(call)
                    .session(session, request)
                    .orElseThrow(() -> unknownSession(call.part("run"), session))));
  }

  /** One session as a Chrome trace. */
  HttpResponse chrome(Call call) throws ApiException, SQLException, IOException {
    String run = call.part("run");
    String session = call.part("session");
    SpanTable table =
        ask(
            () ->
                admin
                    .stored()
                    .sessionTable(run, session)
                    .orElseThrow(() -> unknownSession(run, session)));
    ByteArrayOutputStream trace = new ByteArrayOutputStream();
    new SessionsConverter(table, admin.nowNs(call.part("run")), "ms").convert(trace);
    String name = session.replaceAll("[^A-Za-z0-9._-]", "_");
    return Answer.download(call.headers(), name + ".trace.json", trace.toByteArray());
  }

  private static ApiException unknownSession(String run, String session) {
    return ApiException.notFound("session: " + session + " (expected: one of run " + run + ")");
  }

  HttpResponse errors(Call call) throws ApiException, SQLException, IOException {
    ReportRequest request = call.parameters().request().limit(call.parameters().limit());
    return call.json(ask(() -> run(call).errors(request)));
  }

  HttpResponse findings(Call call) throws ApiException, SQLException, IOException {
    Parameters p = call.parameters();
    Long step = p.whole("step");
    if (step != null) {
      p.refuse("scope", "step");
      p.refuse("batch", "step");
    }
    ReportRequest request = p.request(Scope.ALL);
    return call.json(
        ask(
            () -> {
              RunReports run = run(call);
              return run.findings(step == null ? request : request.scope(StepScope.of(run, step)));
            }));
  }

  HttpResponse batches(Call call) throws ApiException, SQLException, IOException {
    ReportRequest request = call.parameters().request().limit(call.parameters().limit());
    return call.json(ask(() -> run(call).batches(request)));
  }

  HttpResponse timeline(Call call) throws ApiException, SQLException, IOException {
    Parameters p = call.parameters();
    int budget = p.number("budget", TimelineReport.DEFAULT_BUDGET, 1, TimelineReport.MAX_BUDGET);
    ReportRequest request = p.request().limit(budget).window(p.nanos("from"), p.nanos("to"));
    String by = p.text("by") == null ? By.SESSION.word() : p.text("by");
    return call.json(ask(() -> run(call).timeline(request.by(By.named(by)))));
  }

  HttpResponse occupancy(Call call) throws ApiException, SQLException, IOException {
    Parameters p = call.parameters();
    int buckets = p.number("buckets", DEFAULT_BUCKETS, 1, MAX_BUCKETS);
    ReportRequest request = p.request().limit(buckets).window(p.nanos("from"), p.nanos("to"));
    return call.json(ask(() -> run(call).occupancy(request)));
  }

  HttpResponse trace(Call call) throws ApiException, SQLException, IOException {
    String id = call.part("trace");
    if (!id.matches("[0-9a-fA-F]{32}")) {
      throw ApiException.badRequest("trace: " + id + " (expected: 32 hex digits)");
    }
    TraceReport trace = ask(() -> admin.stored().trace(id));
    if (trace.spans().isEmpty()) {
      throw ApiException.notFound("trace: " + id + " (expected: one that was received)");
    }
    return call.json(trace);
  }

  HttpResponse sql(Call call) throws ApiException, SQLException {
    call.needPower(access, "SQL");
    String sql = sqlOf(call.body());
    try {
      return Answer.of(call.headers(), MediaType.JSON, admin.sql(sql), null);
    } catch (SqlRefusedException e) {
      throw new ApiException(HttpStatus.BAD_REQUEST, "sql_error", e.getMessage());
    } catch (SqlUnavailableException e) {
      throw ApiException.unavailable(e.getMessage(), e.retryAfter().orElse(null));
    } catch (SQLTimeoutException e) {
      throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "too_slow", e.getMessage());
    }
  }

  private static String sqlOf(String body) throws ApiException {
    try {
      JsonNode sql = Json.read(body).path("sql");
      if (sql.isTextual()) {
        return sql.textValue();
      }
    } catch (JsonProcessingException e) {
      // Said below: whatever it is, it is not the object expected.
    }
    throw ApiException.badRequest("body: no SQL (expected: {\"sql\":\"select …\"})");
  }
}
