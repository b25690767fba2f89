package io.rollscope.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFunctionsTest {
  /** Operators have no names that people write. */
  private static final Set<String> UNNAMED =
      Set.of(
          "like_escape",
          "not_like_escape",
          "ilike_escape",
          "not_ilike_escape",
          "count_star",
          "list_value",
          "struct_pack",
          "array_value",
          "row");

  @Test
  void documentationListsThem() throws Exception {
    String text = Files.readString(Path.of("../docs/storage.md"));
    String tables = text.substring(text.indexOf("| for | functions |"));
    Matcher name =
        Pattern.compile("`([a-z0-9_]+)`")
            .matcher(tables.substring(tables.indexOf("| conditions |"), tables.indexOf("\n\n")));
    Set<String> documented = new HashSet<>();
    while (name.find()) {
      documented.add(name.group(1));
    }
    Set<String> allowed =
        SqlFunctions.SCALAR.stream()
            .filter(n -> n.matches("\\w+") && !UNNAMED.contains(n))
            .collect(Collectors.toCollection(HashSet::new));
    allowed.addAll(SqlFunctions.TABLE);
    assertThat(documented).isEqualTo(allowed);
  }

  /** What people ask, and forms that the parser gives other names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select stage, count(*) n, avg(end_ns - start_ns) / 1e9 from spans group by 1 order by 2 desc",
        "select quantile_cont(end_ns - start_ns, [0.5, 0.95]), median(start_ns) from spans",
        "select stage, rank() over (partition by run order by start_ns) from spans qualify rank() over"
            + " (order by start_ns) < 5",
        "select * exclude (run) replace (stage || '!' as stage) from spans limit 3",
        "select columns('sta.*') from spans",
        "select attributes['a'], map_keys(attributes), attributes.a from spans",
        "select case when stage like 'a%' or stage ilike '%b' then 1 else 0 end from spans",
        "select stage similar to 'a.*', stage not like 'a\\_%' escape '\\' from spans",
        "select coalesce(stage, '?'), nullif(stage, ''), if(start_ns > 1, 1, 2) from spans",
        "select make_timestamp_ns(start_ns), to_timestamp(start_ns / 1e9) at time zone 'UTC' from spans",
        "select extract(hour from make_timestamp(1)), interval 3 day, current_date, now()",
        "select date_trunc('hour', timestamp '2026-01-01') + interval '1 hour'",
        "select list(stage order by start_ns), string_agg(stage, ',') from spans",
        "select [x + 1 for x in [1, 2] if x > 1], list_transform([1], x -> x * 2), {'a': 1}.a",
        "select unnest([1, 2]), trim(' a '), substring('abc' from 2), position('a' in 'ba')",
        "select '{\"a\": 1}'::json -> 'a', '{\"a\": 1}'::json ->> '$.a'",
        "with recursive r as (select 1 as n union all select n + 1 from r where n < 5) from r",
        "select * from spans a join sessions b using (run) left join metrics m on m.run = a.run",
        "select run from spans intersect select run from sessions except select run from states",
        "select count(*) filter (stage = 'a'), count(distinct run), any_value(stage) from spans",
        "select run, stage, grouping(run) from spans group by grouping sets ((run), (stage))",
        "select * from spans using sample 10",
        "select * from spans where run in ('a', 'b') and start_ns between 1 and 2",
        "select exists (select 1 from spans), not true, -1, 1 is distinct from 2, 7 // 2, 2 ** 3",
        "select * from range(3) t(i), generate_series(1, 2) s(j)",
        "select column_name from information_schema.columns where table_name = 'spans'",
        "describe spans",
        "summarize spans",
        "show tables"
      })
  void whatPeopleAskPasses(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String view : Set.of("spans", "sessions", "states", "metrics")) {
        statement.execute(
            "CREATE TABLE "
                + view
                + " (run VARCHAR, stage VARCHAR, start_ns BIGINT, end_ns BIGINT,"
                + " attributes MAP(VARCHAR, VARCHAR))");
      }
      SqlResult.Collector answer = new SqlResult.Collector();
      new SqlRunner(connection, 30).run(sql, answer);
      assertThat(answer.result().columns()).isNotEmpty();
    }
  }
}
