package io.rollscope.store.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A query may do to its process what it likes; the server and the queries beside it go on. */
class SqlProcessesTest {
  private static final String COUNT = "select count(*) from spans";
  private static final String COUNTED =
      "{\"columns\":[{\"name\":\"count_star()\",\"type\":\"BIGINT\"}],\"rows\":[[3]],"
          + "\"truncated\":false}";

  /** Runs until it is stopped, and takes no memory. */
  static final String ENDLESS =
      "select count(*) from range(1000000) a, range(1000000) b, range(1000000) c"
          + " where a.range + b.range * c.range = 7";

  @TempDir static Path folder;
  private static ParquetSnapshots snapshots;
  private static SqlProcesses shared;

  @BeforeAll
  static void start() throws Exception {
    snapshots = new ParquetSnapshots(folder);
    SqlLimits usual = SqlLimits.DEFAULT;
    shared =
        new SqlProcesses(
            snapshots,
            new SqlLimits(2, 300_000_000, usual.query(), Duration.ofMinutes(10), usual.pause()));
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  private static String answer(SqlProcesses processes, String sql) throws Exception {
    return new String(processes.query(sql), UTF_8);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 6_000 && !condition.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void anAnswerIsJson() throws Exception {
    assertThat(answer(shared, COUNT)).isEqualTo(COUNTED);
    JsonNode row =
        new ObjectMapper()
            .readTree(
                shared.query("select 'a\"\u0001😀' as t, 0.0::DECIMAL(9, 7), 1.5e-7, [1, null]"))
            .path("rows")
            .path(0);
    assertThat(row.path(0).asText()).isEqualTo("a\"\u0001😀");
    assertThat(row.path(1).asDouble()).isZero();
    assertThat(row.path(2).asDouble()).isEqualTo(1.5e-7);
    assertThat(row.path(3).toString()).isEqualTo("[1,null]");
  }

  @Test
  void aLongAnswerIsCut() throws Exception {
    String rows = answer(shared, "select range from range(1000000000000)");
    assertThat(rows).endsWith("\"truncated\":true}");
    assertThat(rows.chars().filter(c -> c == '[').count()).isEqualTo(2 + SqlRunner.MAX_ROWS);
  }

  static Stream<Arguments> hostile() {
    String deep = "[".repeat(49_000) + "]".repeat(49_000);
    String doubled = "'xxxxxxxx'";
    for (int i = 0; i < 33; i++) {
      doubled = "replace(" + doubled + ", 'x', 'xx')";
    }
    return Stream.of(
        Arguments.of("lists in JSON", "select json_structure('" + deep + "')"),
        Arguments.of(
            "objects in JSON",
            "select json_structure('" + "{\"a\":".repeat(15_000) + "1" + "}".repeat(15_000) + "')"),
        Arguments.of("merge", "select json_merge_patch('" + deep + "', '[]')"),
        Arguments.of("contains", "select json_contains('" + deep + "', '1')"),
        Arguments.of("transform", "select json_transform('" + deep + "', '\"JSON\"')"),
        Arguments.of("a cast", "select '" + deep + "'::JSON"),
        Arguments.of("names", "select run" + ".a".repeat(40_000) + " from spans"),
        Arguments.of("subscripts", "select run" + "[1]".repeat(30_000) + " from spans"),
        Arguments.of("types", "select null::INT" + "[]".repeat(40_000)),
        Arguments.of("calls", "select 'a'" + ".lower()".repeat(12_000)),
        Arguments.of("brackets", "select " + "(".repeat(40_000) + "1" + ")".repeat(40_000)),
        Arguments.of("signs", "select " + "- ".repeat(49_000) + "1"),
        Arguments.of("not", "select " + "not ".repeat(24_000) + "true"),
        Arguments.of("sums", "select 1" + "+1".repeat(49_000)),
        Arguments.of("text doubled", "select length(" + doubled + ")"),
        Arguments.of("histogram", "select histogram(i) from range(1000000000) t(i)"),
        Arguments.of("quantile", "select reservoir_quantile(i, 0.5) from range(1000000000) t(i)"),
        Arguments.of(
            "a sample",
            "select count(*) from (select * from range(1000000000) using sample"
                + " reservoir(400000000 rows))"),
        Arguments.of(
            "a sample in percent",
            "select count(*) from range(1000000000) tablesample reservoir(90%)"),
        Arguments.of(
            "distance",
            "select damerau_levenshtein(string_agg(i, ''), string_agg(i, 'a'))"
                + " from range(10000) t(i)"),
        Arguments.of("columns", "select 1" + ",1".repeat(49_000)),
        Arguments.of("columns of stars", "select " + "*,".repeat(900) + "1 from spans"),
        Arguments.of("values", "values (1" + ",1".repeat(49_000) + ")"),
        Arguments.of("joins", "select * from spans" + ", spans".repeat(900)),
        Arguments.of("sleep", "select pg_sleep(100)"),
        Arguments.of("sleep in ms", "select sleep_ms(100000)"),
        Arguments.of("setting", "select current_setting('allowed_directories')"),
        Arguments.of("settings", "select * from pg_settings"),
        Arguments.of("settings' schema", "select * from pg_catalog.pg_settings"),
        Arguments.of("settings' function", "select * from duckdb_settings()"),
        Arguments.of("views", "select sql from duckdb_views()"),
        Arguments.of("views' table", "select sql from duckdb_views"),
        Arguments.of("master", "select sql from sqlite_master"),
        Arguments.of(
            "a name for a table of DuckDB",
            "select * from pg_settings, (with pg_settings as (select 1) from pg_settings)"),
        Arguments.of("aggregate by name", "select list_aggregate([1], 'histogram')"),
        Arguments.of("a file", "select * from read_csv('/etc/passwd')"),
        Arguments.of("copy", "copy (select 1) to 'x.csv'"),
        Arguments.of("attach", "attach 'x.db'"),
        Arguments.of("install", "install httpfs"),
        Arguments.of("set", "set threads = 8"));
  }

  /** Those of the security review, and their relatives. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("hostile")
  void aHostileQueryHarmsNobodyElse(String name, String sql) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    CompletableFuture<Void> neighbour =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get() || answers.get() < 3) {
                assertThat(
                        catchThrowable(() -> assertThat(answer(shared, COUNT)).isEqualTo(COUNTED)))
                    .isNull();
                answers.incrementAndGet();
              }
            });
    try {
      assertThat(catchThrowable(() -> shared.query(sql)))
          .isInstanceOfAny(SqlRefusedException.class, SqlUnavailableException.class)
          .hasMessageStartingWith("sql: ")
          .hasMessageNotContaining(folder.toString());
    } finally {
      done.set(true);
    }
    neighbour.get(2, TimeUnit.MINUTES);
    assertThat(shared.numbers().kills()).containsEntry("crash", 0L).containsEntry("time", 0L);
  }

  @Test
  void tooMuchMemoryEndsTheProcessAndSaysSo() throws Exception {
    String bomb = "select list(i) from range(1000000000) t(i)";
    long before = shared.numbers().kills().get("memory");
    assertThatThrownBy(() -> shared.query(bomb))
        .isInstanceOf(SqlUnavailableException.class)
        .hasMessage("sql: killed: more than 300 MB of memory (expected: less)");
    assertThat(shared.numbers().kills()).containsEntry("memory", before + 1);
    assertThat(answer(shared, COUNT)).isEqualTo(COUNTED);
  }

  @Test
  void aQueryThatTakesTooLongIsCancelledAndItsProcessGoesOn() throws Exception {
    try (SqlProcesses processes = new SqlProcesses(snapshots, limits(1, Duration.ofSeconds(1)))) {
      assertThatThrownBy(() -> processes.query(ENDLESS))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessage("sql: 1 s (expected: less)");
      assertThat(processes.numbers())
          .isEqualTo(new SqlNumbers(1, Map.of("crash", 0L, "memory", 0L, "time", 0L)));

      long pid = processes.pids().iterator().next();
      signal("STOP", pid); // From here on it cancels nothing.
      assertThatThrownBy(() -> processes.query(COUNT))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessage("sql: 1 s (expected: less)");
      assertThat(processes.numbers())
          .isEqualTo(new SqlNumbers(1, Map.of("crash", 0L, "memory", 0L, "time", 1L)));
    }
  }

  private static SqlLimits limits(int processes, Duration query) {
    return new SqlLimits(
        processes, 1_000_000_000, query, Duration.ofMinutes(10), Duration.ofSeconds(30));
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor())
        .isZero();
  }

  /** A fault in native code ends a process by SEGV, a system out of memory by KILL. */
  @Test
  void threeCrashesMakeAPauseForNewProcessesOnly() throws Exception {
    AtomicLong clock = new AtomicLong();
    try (SqlProcesses processes =
        new SqlProcesses(snapshots, limits(2, Duration.ofMinutes(5)), clock::get)) {
      for (int i = 0; i < SqlProcesses.MOST_CRASHES; i++) {
        Set<Long> before = processes.pids();
        CompletableFuture<Throwable> victim =
            CompletableFuture.supplyAsync(() -> catchThrowable(() -> processes.query(ENDLESS)));
        Set<Long> started = new HashSet<>();
        await(
            () -> {
              started.addAll(processes.pids());
              started.removeAll(before);
              return !started.isEmpty();
            });
        signal(i == 0 ? "SEGV" : "KILL", started.iterator().next());
        assertThat(victim.get(2, TimeUnit.MINUTES))
            .isInstanceOf(SqlUnavailableException.class)
            .hasMessageStartingWith("sql: its process ended by itself, exit code 13");
      }
      assertThat(processes.numbers())
          .isEqualTo(new SqlNumbers(3, Map.of("crash", 3L, "memory", 0L, "time", 0L)));

      assertThatThrownBy(() -> processes.query(COUNT))
          .isInstanceOfSatisfying(
              SqlUnavailableException.class,
              e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(30)))
          .hasMessage(
              "sql: paused, because 3 of its processes crashed within a minute"
                  + " (expected: a retry in 30 s)");
      clock.addAndGet(Duration.ofSeconds(30).toNanos());
      assertThat(answer(processes, COUNT)).isEqualTo(COUNTED);
    }
  }

  @Test
  void aProcessThatNobodyAsksEnds() throws Exception {
    int trims = snapshots.trims.get();
    SqlLimits limits =
        new SqlLimits(
            1, 1_000_000_000, Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMinutes(1));
    try (SqlProcesses processes = new SqlProcesses(snapshots, limits)) {
      assertThat(answer(processes, COUNT)).isEqualTo(COUNTED);
      await(() -> processes.pids().isEmpty());
      await(() -> snapshots.trims.get() > trims);
      assertThat(answer(processes, COUNT)).isEqualTo(COUNTED);
      assertThat(processes.numbers())
          .isEqualTo(new SqlNumbers(2, Map.of("crash", 0L, "memory", 0L, "time", 0L)));
    }
  }

  @Test
  void processesEndWithTheServersOwnEnd() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process server =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AskingProcess.class.getName(),
                folder.resolve("other").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      server.destroyForcibly().waitFor();
      child.onExit().get(1, TimeUnit.MINUTES);
    } finally {
      server.destroyForcibly();
    }
  }

  /** A server in the middle of a query; prints the id of the process that runs it. */
  static final class AskingProcess {
    public static void main(String[] args) throws Exception {
      try (SqlProcesses processes =
          new SqlProcesses(
              new ParquetSnapshots(Path.of(args[0])), limits(1, Duration.ofMinutes(5)))) {
        processes.query(COUNT);
        CompletableFuture<Throwable> query =
            CompletableFuture.supplyAsync(() -> catchThrowable(() -> processes.query(ENDLESS)));
        System.out.println(processes.pids().iterator().next());
        throw new IllegalStateException(query.get());
      }
    }
  }

  @Test
  void aProcessHasLimitsOfItsOwnAndNothingOfOurs() throws Exception {
    assertThat(answer(shared, COUNT)).isEqualTo(COUNTED);
    long pid = shared.pids().iterator().next();
    String limits = Files.readString(Path.of("/proc/" + pid + "/limits"));
    assertThat(limits)
        .containsPattern("Max cpu time +240 +240")
        .containsPattern("Max core file size +0 +0");
    assertThat(Files.readString(Path.of("/proc/" + pid + "/environ")))
        .doesNotContain("HOME=")
        .doesNotContain("JAVA_");
    assertThat(Files.readString(Path.of("/proc/" + pid + "/oom_score_adj"))).isEqualTo("1000\n");
    assertThat(ResidentMemory.of(pid)).isBetween(10_000_000L, 300_000_000L);
    assertThat(ResidentMemory.of(Long.MAX_VALUE)).isZero();
  }

  @Test
  void aServerThatStopsAnswersNoMore() throws Exception {
    SqlProcesses processes = new SqlProcesses(snapshots, limits(1, Duration.ofMinutes(5)));
    processes.query(COUNT);
    CompletableFuture<Throwable> query =
        CompletableFuture.supplyAsync(() -> catchThrowable(() -> processes.query(ENDLESS)));
    processes.close();
    assertThat(query.get(1, TimeUnit.MINUTES))
        .isInstanceOfAny(SqlUnavailableException.class, SQLException.class);
    await(() -> processes.pids().isEmpty());
    assertThatThrownBy(() -> processes.query(COUNT)).hasMessage("sql: the server stops");
  }
}
