package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.Row;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.SpanTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Following a run must end where reading it anew ends. */
class LiveBoardPropertyTest {
  private static final double NOW = 500;

  /** A row of a made-up run; few sessions and names, so that much happens to each. */
  private static Row anyRow(Random random, double time) {
    TableBuilder run = new TableBuilder();
    SessionBuilder told =
        random.nextInt(8) == 0
            ? run.lane("lane" + random.nextInt(2))
            : run.session("s" + random.nextInt(6));
    int step = random.nextInt(4);
    if (step > 0) {
      told.steps(step, random.nextInt(2), null);
    }
    if (random.nextInt(3) > 0) {
      told.batch("b" + step);
    }
    told.rank(random.nextInt(4) == 0 ? random.nextInt(8) : null);
    told.word(random.nextInt(6) == 0 ? List.of("init", "completed", "failed").get(step % 3) : null);
    String name = random.nextInt(4) == 0 ? "pkg/x" : random.nextInt(3) == 0 ? "y" : "x";
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> told.start(name, time);
      case 4, 5, 6 -> told.end(name, time);
      case 7 -> told.end(name, time, random.nextInt(40));
      case 8 -> told.error(name, time, "E: " + random.nextInt(3));
      case 9 -> told.span(name, time, time + random.nextInt(30)).ids(random.nextInt(9), 0);
      case 10 -> {
        if (random.nextBoolean()) {
          told.open(name, time);
        } else {
          told.lost(name, time);
        }
      }
      default -> told.point(name, time);
    }
    return run.rows().get(0);
  }

  /** Rows more or less in order of time, as processes write and readers meet them. */
  private static List<Row> anyRun(Random random, int size, int disorder) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      double time = i + (disorder == 0 ? 0 : random.nextInt(disorder) - disorder / 2);
      rows.add(anyRow(random, Math.max(0, time)));
    }
    return rows;
  }

  @Property(tries = 300)
  void afterEachChunkTheBoardIsWhatAFreshOneWouldBe(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 250) int size,
      @ForAll @IntRange(min = 0, max = 60) int disorder) {
    List<Row> rows = anyRun(random, size, disorder);
    SpanTable table = new SpanTable();
    List<LiveBoard> boards = new ArrayList<>();
    for (Scope scope : List.of(Scope.ACTIVE, Scope.LATEST, Scope.ALL, Scope.ofBatch("b1"))) {
      boards.add(new LiveBoard(table, scope));
    }
    Chunk.Words words = new Chunk.Words();
    for (int from = 0; from < rows.size(); ) {
      int to = Math.min(rows.size(), from + 1 + random.nextInt(20));
      TableBuilder.append(table, rows.subList(from, to), words);
      from = to;
      for (LiveBoard board : boards) {
        board.update();
        LiveBoard fresh = new LiveBoard(table, board.scope());

        assertThat(Boards.report(board, NOW))
            .as("%s after %d rows", board.scope().word(), to)
            .isEqualTo(Boards.report(fresh, NOW));
      }
    }
  }

  /** Sums that hold whatever was read. */
  @Property(tries = 200)
  void theNumbersOfAReportFitTogether(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 120) int size) {
    SpanTable table = new SpanTable();
    TableBuilder.append(table, anyRun(random, size, 20));
    for (Scope scope : List.of(Scope.ACTIVE, Scope.LATEST, Scope.ALL, Scope.ofBatch("b1"))) {
      LiveReport report = Boards.report(table, scope, NOW);

      int total = report.sessionSummary().get("total");
      int byStatus =
          report.sessionSummary().values().stream().mapToInt(Integer::intValue).sum() - total;
      assertThat(byStatus).isEqualTo(total).isEqualTo(report.rows().size());
      assertThat(report.taskSummary().totalTasks()).isEqualTo(total);
      assertThat(report.taskSummary().completedTasks()).isBetween(0, total);
      assertThat(report.taskSummary().currentStageCounts().values().stream().mapToInt(n -> n).sum())
          .isEqualTo(report.taskSummary().runningTasks());
      assertThat(report.rows().stream().filter(r -> r.openSpan() != null).count())
          .isEqualTo(report.taskSummary().runningTasks());
      assertThat(report.rows().stream().mapToLong(LiveReport.Row::eventCount).sum())
          .isEqualTo(report.eventCount());
      assertThat(report.eventCount()).isLessThanOrEqualTo(report.rawEventCount());
    }
  }
}
