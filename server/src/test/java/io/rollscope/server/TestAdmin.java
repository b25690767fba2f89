package io.rollscope.server;

import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.RunSummary;
import io.rollscope.server.api.StoreAdmin;
import io.rollscope.store.StoreHealth;
import io.rollscope.store.StoreNumbers;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.journal.JournalNumbers;
import io.rollscope.store.journal.LatencyHistogram;
import io.rollscope.store.journal.RecoveryReport;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.query.Reports;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A store that says what the test wants. */
final class TestAdmin implements StoreAdmin {
  volatile long aheadNs;
  final List<RunSummary> runs = new CopyOnWriteArrayList<>();
  final AtomicLong version = new AtomicLong();
  volatile List<Row> rows = List.of();
  volatile StoreHealth health = new StoreHealth(true, "", List.of());
  volatile List<String> deleted = List.of();

  @Override
  public Optional<RunSummary> knownRun(String run) {
    return runs.stream().filter(r -> r.run().equals(run)).findFirst();
  }

  @Override
  public List<RunSummary> runs(Predicate<String> name, long skipped, long most) {
    return runs.stream().filter(r -> name.test(r.run())).skip(skipped).limit(most).toList();
  }

  @Override
  public RunReports reports(String run) {
    return (RunReports)
        Proxy.newProxyInstance(
            RunReports.class.getClassLoader(),
            new Class<?>[] {RunReports.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("live")) {
                return live(run, (ReportRequest) arguments[0]);
              }
              throw new IOException("nothing is stored");
            });
  }

  private LiveReport live(String run, ReportRequest request) {
    int offset = request.cursor() == null ? 0 : Integer.parseInt(request.cursor());
    List<Row> page = rows.stream().skip(offset).limit(request.limit()).toList();
    return new LiveReport(
        nowNs() / 1e9,
        false,
        "server",
        run,
        request.scope().word(),
        rows.size(),
        version.get(),
        Map.of("total", rows.size()),
        new TaskSummary(rows.size(), 0, 0, Map.of()),
        List.of(),
        page,
        List.of(),
        List.of(),
        null,
        0,
        0,
        Map.of(),
        List.of(),
        List.of(),
        new SkippedLines(0, List.of()));
  }

  @Override
  public long version() {
    return version.get();
  }

  @Override
  public long nowNs(String run) {
    return nowNs();
  }

  @Override
  public long nowNs() {
    return System.currentTimeMillis() * 1_000_000 + aheadNs;
  }

  @Override
  public Reports stored() {
    return new Reports(
        () -> {
          throw new SQLException("nothing is stored");
        },
        "test");
  }

  @Override
  public byte[] sql(String select) throws SQLException {
    throw new SQLException("nothing is stored");
  }

  @Override
  public Exposition exposition() {
    return new Exposition(List.of(), 0);
  }

  @Override
  public List<RunFigures> figures(int most) {
    return List.of();
  }

  @Override
  public StoreHealth health() {
    return health;
  }

  @Override
  public long deleteRun(String run) {
    List<String> more = new ArrayList<>(deleted);
    more.add(run);
    deleted = more;
    return 7;
  }

  static RunSummary run(String id) {
    return new RunSummary(id, null, "test", "live", 1, 2, 1, 3, 4, 5);
  }

  static Row row(String session, int events) {
    return new Row(
        "trace-" + session,
        session,
        "task",
        "running",
        null,
        "generate",
        "generate",
        "generate",
        1.5,
        null,
        false,
        100.25,
        events,
        "w0",
        7L,
        "7",
        "b",
        99.5,
        null);
  }

  static StoreNumbers numbers() {
    return new StoreNumbers(
        new JournalNumbers(
            1,
            2,
            3,
            4,
            new LatencyHistogram(List.of(0.001, 0.01), List.of(5L, 2L, 1L), 0.5),
            6,
            7,
            8,
            9),
        new RecoveryReport(1, 2, 3, Optional.empty(), List.of(), List.of(), List.of(), List.of()),
        101,
        102,
        103,
        104,
        105,
        106,
        123,
        107,
        122,
        108,
        109,
        110,
        111,
        112,
        113,
        121,
        Map.of("too many open spans", 114L),
        Map.of("cardinality", 124L),
        115,
        116,
        117,
        0,
        118,
        119,
        120);
  }
}
