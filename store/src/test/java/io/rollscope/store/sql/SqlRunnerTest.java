package io.rollscope.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever may ask the server may write SQL; it must not reach anything but the data. */
class SqlRunnerTest {
  @TempDir Path folder;
  private Path segments;
  private Path outside;

  @BeforeEach
  void writeSegments() throws Exception {
    segments = Files.createDirectory(folder.resolve("seg'ments"));
    outside = Files.createDirectory(folder.resolve("outside"));
    try (Connection c = DriverManager.getConnection("jdbc:duckdb:");
        Statement s = c.createStatement()) {
      s.execute("COPY (SELECT 'run' AS run, range AS start_ns FROM range(3)) TO " + text("a"));
      s.execute("COPY (SELECT 42 AS secret) TO '" + outside.resolve("o.parquet") + "'");
    }
    Files.createSymbolicLink(segments.resolve("link.parquet"), outside.resolve("o.parquet"));
    Files.createSymbolicLink(segments.resolve("dir"), outside);
  }

  private String text(String name) {
    return "'" + segments.resolve(name + ".parquet").toString().replace("'", "''") + "'";
  }

  private Connection open() throws SQLException {
    Connection cage = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement s = cage.createStatement()) {
      s.execute("CREATE TABLE hot (run VARCHAR, start_ns BIGINT)");
      s.execute("INSERT INTO hot VALUES ('run', 1763000000000000001)");
      s.execute("CREATE VIEW spans AS FROM hot UNION ALL FROM read_parquet([" + text("a") + "])");
    }
    SqlSandbox.lock(cage, List.of(segments));
    return cage;
  }

  private SqlResult run(String sql) throws Exception {
    return run(sql, 30);
  }

  private SqlResult run(String sql, int limitSeconds) throws Exception {
    SqlResult.Collector answer = new SqlResult.Collector();
    try (Connection cage = open()) {
      new SqlRunner(cage, limitSeconds).run(sql, answer);
    }
    return answer.result();
  }

  private List<String> files() throws Exception {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void hotRowsAndSegmentsAreOneView() throws Exception {
    SqlResult result = run("SELECT run, start_ns FROM spans ORDER BY start_ns");
    assertThat(result.columns())
        .containsExactly(new SqlColumn("run", "VARCHAR"), new SqlColumn("start_ns", "BIGINT"));
    assertThat(result.rows())
        .containsExactly(
            List.of("run", 0L),
            List.of("run", 1L),
            List.of("run", 2L),
            List.of("run", "1763000000000000001"));
    assertThat(result.truncated()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from spans;",
        "select count(*) from spans; ; -- the end; really",
        "with x as (select * from spans) select count(*) from x /* ; */",
        "from spans select count(*) -- ; drop table hot",
        "(select count(*) from spans)",
        "select count(*) from spans where run <> ';'"
      })
  void oneSelectMayBeWrittenInManyWays(String sql) throws Exception {
    assertThat(run(sql).rows()).containsExactly(List.of(4L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"describe spans", "summarize spans", "show tables", "values (1)", "table spans"})
  void questionsAboutTheDataAreSelects(String sql) throws Exception {
    assertThat(run(sql).rows()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY (SELECT 1) TO 'evil.csv'",
        "COPY spans TO 'evil.parquet' (FORMAT parquet)",
        "COPY hot FROM '/etc/passwd'",
        "EXPORT DATABASE 'evil'",
        "IMPORT DATABASE 'evil'",
        "ATTACH 'evil.db'",
        "ATTACH ':memory:' AS m",
        "DETACH memory",
        "USE memory",
        "INSTALL httpfs",
        "LOAD httpfs",
        "FORCE INSTALL httpfs",
        "SET threads = 8",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA enable_profiling",
        "PRAGMA threads = 8",
        "CALL enable_logging()",
        "CREATE TABLE t (a INT)",
        "CREATE OR REPLACE VIEW spans AS SELECT 1",
        "CREATE MACRO f(x) AS x",
        "CREATE SECRET s (TYPE s3)",
        "INSERT INTO hot VALUES ('x', 1)",
        "UPDATE hot SET run = 'x'",
        "DELETE FROM hot",
        "DROP TABLE hot",
        "TRUNCATE hot",
        "ALTER TABLE hot ADD COLUMN b INT",
        "VACUUM",
        "CHECKPOINT",
        "BEGIN",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE hot",
        "SELECT 1 /* */ ; /* */ DROP TABLE hot -- ",
        "SELECT 1;\n--\nCREATE TABLE t (a INT);",
        "WITH x AS (DELETE FROM hot RETURNING *) SELECT * FROM x",
        "SELECT * FROM enable_logging(storage_path = 'evil')",
        "SELECT * FROM \"ENABLE_LOGGING\"()",
        "SELECT (SELECT count(*) FROM read_text('/etc/passwd'))",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM query('select 1')",
        "SELECT * FROM json_execute_serialized_sql('{}')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM spans, LATERAL (SELECT * FROM read_text(run))",
        "SELECT repeat('x', 2000000000)",
        "SELECT 'x'.repeat(2000000000)",
        "SELECT unnest(range(100000000000))",
        "SELECT lpad('x', 2000000000, 'y')",
        "",
        ";",
        "-- nothing",
        "SELECT 1 /* not ended",
        "SELECT 1) UNION ALL (SELECT 2",
        "SELECT 1 FROM nowhere",
        "SELECT ?",
        "SELECT 1 \0"
      })
  void allElseIsRefusedAndLeavesNothingBehind(String sql) throws Exception {
    List<String> before = files();
    assertThatThrownBy(() -> run(sql))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageStartingWith("sql: ");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void noFileButTheSegmentsCanBeRead() throws Exception {
    for (String file :
        List.of(
            "/etc/passwd",
            outside.resolve("o.parquet").toString(),
            segments + "/../outside/o.parquet",
            segments + "/link.parquet",
            segments + "/dir/o.parquet",
            "../outside/o.parquet",
            "file://" + outside.resolve("o.parquet"),
            "http://127.0.0.1:1/x.parquet",
            "s3://bucket/x.parquet")) {
      String quoted = "'" + file.replace("'", "''") + "'";
      assertThatThrownBy(() -> run("SELECT * FROM " + quoted))
          .as(file)
          .isInstanceOf(SqlRefusedException.class);
      for (String reader :
          List.of("read_parquet", "read_csv", "read_json", "read_text", "read_blob", "glob")) {
        assertThatThrownBy(() -> execute("SELECT * FROM " + reader + "(" + quoted + ")"))
            .as(reader + " " + file)
            .isInstanceOf(SQLException.class);
      }
    }
    execute("SELECT count(*) FROM " + text("a"));
    assertThatThrownBy(() -> run("SELECT count(*) FROM " + text("a")))
        .isInstanceOf(SqlRefusedException.class);
  }

  /** Behind the gate there is a second wall. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY (SELECT 1) TO 'evil.csv'",
        "EXPORT DATABASE 'evil'",
        "ATTACH 'evil.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 8",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET memory_limit = '100GB'",
        "SET temp_directory = 'evil'",
        "RESET allowed_directories",
        "PRAGMA threads = 8"
      })
  void theCageHoldsWithoutTheGate(String sql) {
    assertThatThrownBy(() -> execute(sql)).isInstanceOf(SQLException.class);
  }

  private void execute(String sql) throws SQLException {
    try (Connection cage = open();
        Statement s = cage.createStatement()) {
      s.execute(sql);
    }
  }

  @Test
  void aHugeResultIsCutAtTheLimitOfRows() throws Exception {
    SqlResult result = run("SELECT range FROM range(1000000000000)");
    assertThat(result.rows()).hasSize(SqlRunner.MAX_ROWS);
    assertThat(result.truncated()).isTrue();
    assertThat(run("SELECT range FROM range(100000)").truncated()).isFalse();
  }

  @Test
  void aHeavyResultIsCutAtTheLimitOfBytes() throws Exception {
    SqlResult result =
        run("SELECT string_agg(range::VARCHAR, ',') AS t FROM range(9000000) GROUP BY range % 10");
    assertThat(result.truncated()).isTrue();
    assertThat(result.rows()).hasSizeBetween(5, 9);
  }

  @Test
  void anEndlessQueryIsCancelled() {
    for (String endless :
        List.of(
            "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a FROM r) SELECT count(*) FROM r",
            "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"
                + " WHERE a.range + b.range * c.range = 7")) {
      long start = System.nanoTime();
      assertThatThrownBy(() -> run(endless, 1))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessage("sql: 1 s (expected: less)");
      assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
    }
  }

  @Test
  void aMemoryBombGoesOffInTheCage() {
    assertThatThrownBy(() -> run("SELECT count(DISTINCT hash(range) || 'x') FROM range(100000000)"))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("Out of Memory");
  }

  @Test
  void valuesSurviveExactly() throws Exception {
    List<Object> row =
        run("SELECT 9007199254740992, 9007199254740993, -9007199254740993,"
                + " 170141183460469231731687303715884105727, 1.5, 'nan'::DOUBLE,"
                + " 12345678901234567890.5, true, NULL, TIMESTAMP '2026-11-15 01:02:03.123456',"
                + " MAP {'a': 9007199254740993, 'b': 2}, [1, NULL, 2], {'x': 'y', 'z': [1.5]},"
                + " 'a\"😀', '\\xAB'::BLOB, INTERVAL 1 DAY, '{\"k\": 1}'::JSON, 'inf'::FLOAT")
            .rows()
            .get(0);
    assertThat(row)
        .startsWith(
            9007199254740992L,
            "9007199254740993",
            "-9007199254740993",
            "170141183460469231731687303715884105727",
            new BigDecimal("1.5"),
            "NaN",
            "12345678901234567890.5",
            true,
            null,
            "2026-11-15 01:02:03.123456",
            Map.of("a", "9007199254740993", "b", 2L));
    assertThat(row.get(11)).isEqualTo(Arrays.asList(1L, null, 2L));
    assertThat(row.subList(12, row.size()))
        .containsExactly(
            Map.of("x", "y", "z", List.of(1.5)),
            "a\"😀",
            "\\xAB",
            "1 day",
            Map.of("k", 1L),
            "Infinity");
  }

  @Test
  void columnsMayHaveAnyName() throws Exception {
    SqlResult result = run("SELECT 1 AS \"a\"\"b; drop\", 2 AS x, 3 AS x");
    assertThat(result.rows()).containsExactly(List.of(1L, 2L, 3L));
  }
}
