package io.rollscope.store.query;

import static io.rollscope.store.query.SmallRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredWorkTest {
  private Tables tables;
  private SmallRun run;

  @BeforeEach
  void open() throws Exception {
    tables = new Tables();
    run = new SmallRun(tables, "run");
  }

  @AfterEach
  void close() throws Exception {
    tables.close();
  }

  private StoredWork read(Scope scope, int mostSpans) throws Exception {
    tables.flush();
    try (Query query = new Query(tables.snapshots().take(), 30, e -> {})) {
      return StoredWork.read(query, Question.of("run", scope, 99 * SECOND), mostSpans);
    }
  }

  private static List<String> sessions(SpanTable table) {
    List<String> sessions = new ArrayList<>();
    for (int s = 0; s < table.sessionCount(); s++) {
      sessions.add(table.key(s) + (table.isLane(s) ? " lane " : " ") + table.rowCount(s));
    }
    return sessions;
  }

  private static List<String> tokens(SpanTable table, String stage) {
    List<String> tokens = new ArrayList<>();
    for (int row = 0; row < table.rows(); row++) {
      if (table.nameOf(table.name(row)).stage().equals(stage)) {
        tokens.add(table.inputTokens(row) + " → " + table.outputTokens(row));
      }
    }
    return tokens;
  }

  /** Sessions end with what was last heard of them: a row besides their two spans. */
  @Test
  void sessionsAndWorkOfProcessesAreRead() throws Exception {
    run.session("a", "b1", 1, 10);
    run.running("b", "b1", 1, 11, 30);
    run.lane("trainer", "sync", 12, 13);

    StoredWork work = read(Scope.ALL, 100);

    assertThat(sessions(work.table())).containsExactly("a 3", "b 1", "trainer lane 1");
    assertThat(work.leftOut()).isEmpty();
  }

  @Test
  void callsSayTheirTokensUnderNewAndOldNames() throws Exception {
    run.span(
        "a",
        "b1",
        1L,
        "turn",
        10 * SECOND,
        11 * SECOND,
        "ok",
        null,
        Map.of("gen_ai.usage.input_tokens", "412", "gen_ai.usage.output_tokens", "88"));
    run.span(
        "a", "b1", 1L, "turn", 11 * SECOND, 12 * SECOND, "ok", null, Map.of("prompt_tokens", "7"));
    run.span("a", "b1", 1L, "turn", 12 * SECOND, 13 * SECOND, "ok", null, Map.of("x", "1"));
    run.row("a", "b1", 1L, "completed", 10 * SECOND, 13 * SECOND, 3, 0);

    assertThat(tokens(read(Scope.ALL, 100).table(), "turn"))
        .containsExactly("412 → 88", "7 → -1", "-1 → -1");
  }

  @Test
  void callsSayHowLongTheyWaitedInTheQueue() throws Exception {
    List<String> said = List.of("1.5", "0", "-1", "1 s", "1e999");
    for (int i = 0; i < said.size(); i++) {
      run.span(
          "a",
          "b1",
          1L,
          "turn",
          (10 + i) * SECOND,
          (11 + i) * SECOND,
          "ok",
          null,
          Map.of("gen_ai.latency.time_in_queue", said.get(i)));
    }
    run.row("a", "b1", 1L, "completed", 10 * SECOND, 15 * SECOND, 5, 0);

    SpanTable table = read(Scope.ALL, 100).table();

    List<Long> queued = new ArrayList<>();
    for (int row = 0; row < table.rows(); row++) {
      if (table.nameOf(table.name(row)).stage().equals("turn")) {
        queued.add(table.queuedNs(row));
      }
    }
    assertThat(queued)
        .containsExactly(3 * SECOND / 2, 0L, Nanos.UNKNOWN, Nanos.UNKNOWN, Nanos.UNKNOWN);
  }

  /** Half a step looks like a short one: only whole steps are read, and what still runs. */
  @Test
  void ofTooManySpansTheNewestWholeStepsAreRead() throws Exception {
    run.running("old", "b1", 1, 5, 90);
    run.session("a", "b1", 1, 10);
    run.session("b", "b2", 2, 20);
    run.session("c", "b2", 2, 21);
    run.session("d", "b3", 3, 30);

    StoredWork work = read(Scope.ALL, 6);

    assertThat(sessions(work.table())).containsExactly("old 1", "b 3", "c 3", "d 3");
    assertThat(work.leftOut())
        .containsExactly(
            new NotJudged(
                "all",
                "The run has 9 spans, of which at most 6 are looked at: step 2 and later, and all"
                    + " that is unfinished."));
  }

  @Test
  void ofOneStepThatIsTooLargeTheNewestSessionsAreRead() throws Exception {
    run.session("a", "b1", 1, 10);
    run.session("b", "b1", 1, 11);
    run.session("c", "b1", 1, 12);
    run.running("old", "b1", 1, 5, 90);

    StoredWork work = read(Scope.ALL, 4);

    assertThat(sessions(work.table())).containsExactly("old 1", "c 3");
    assertThat(work.leftOut())
        .extracting(NotJudged::why)
        .singleElement()
        .asString()
        .contains("at most 4 are looked at: the newest sessions, and all that is unfinished.");
  }

  @Test
  void onlyWhatIsInScopeIsRead() throws Exception {
    run.session("a", "b1", 1, 10);
    run.session("b", "b2", 2, 20);

    assertThat(sessions(read(Scope.ofBatch("b2"), 100).table())).containsExactly("b 3");
    assertThat(sessions(read(Scope.LATEST, 100).table())).containsExactly("b 3");
    assertThat(sessions(read(Scope.ofBatch("b3"), 100).table())).isEmpty();
  }
}
