package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown on top, and what is called suspect (contracts.md 4.10, 4.13). */
class OverdueTest {

  /** A run in which {@code fast} usually takes 1 s and {@code slow} 100 s. */
  private static TableBuilder run() {
    TableBuilder run = new TableBuilder();
    SessionBuilder past = run.session("past").word("completed");
    for (int i = 0; i < 20; i++) {
      past.span("fast", i, i + 1).span("slow", i, i + 100);
    }
    return run;
  }

  private static LiveReport report(TableBuilder run) {
    return Boards.report(run.table(), Scope.ALL, 1_000);
  }

  @Test
  void rowsComeByHowManyTimesTheUsualTheyHaveTaken() {
    TableBuilder run = run();
    run.session("unknown").start("never ended before", 0);
    run.session("slow but usual").start("slow", 850);
    run.session("fast and stuck").start("fast", 990);
    run.session("hung").start("slow", 100);

    assertThat(report(run).rows())
        .extracting(Row::session)
        .containsExactly("fast and stuck", "hung", "slow but usual", "unknown", "past");
  }

  @Test
  void equallyOverdueOnesComeByAgeThenById() {
    TableBuilder run = run();
    run.session("c").start("new", 500);
    run.session("b").start("new", 600);
    run.session("a").start("other", 600);
    run.session("d").start("fast", 998);
    run.session("e").start("slow", 800);

    assertThat(report(run).rows())
        .extracting(Row::session)
        .containsExactly("e", "d", "c", "a", "b", "past");
  }

  @Test
  void sessionsWithNothingOpenComeLastTheNewestNewsFirst() {
    TableBuilder run = new TableBuilder();
    run.session("older").point("p", 1);
    run.session("newer b").point("p", 2);
    run.session("newer a").point("p", 2);
    run.session("open").start("x", 999);

    assertThat(report(run).rows())
        .extracting(Row::session)
        .containsExactly("open", "newer a", "newer b", "older");
  }

  @Test
  void moreThanFiveSecondsAboveTheUsualIsSuspect() {
    TableBuilder run = run();
    run.session("just").start("fast", 994);
    run.session("more").start("fast", 993.999999999);
    run.session("unknown").start("new", 0);

    LiveReport report = report(run);

    assertThat(report.rows())
        .filteredOn(Row::suspect)
        .extracting(Row::session)
        .containsExactly("more");
    assertThat(report.openSpanSummaries())
        .filteredOn(OpenSpanSummary::suspect)
        .extracting(OpenSpanSummary::span)
        .containsExactly("fast");
    assertThat(report.rows().get(0).usualP95S()).isEqualTo(1);
    assertThat(report.rows().get(2).usualP95S()).isNull();
  }

  /** What XTuner shows: the innermost call, and how long that one has been open. */
  @Test
  void aSessionStandsInItsNewestOpenSpan() {
    TableBuilder run = new TableBuilder();
    run.session("a")
        .rank(3)
        .start("outer", 10)
        .rank(5)
        .start("pkg/inner", 40)
        .rank(null)
        .point("p", 50);

    Row row = report(run).rows().get(0);

    assertThat(row.stage()).isEqualTo("inner");
    assertThat(row.openSpan()).isEqualTo("pkg/inner");
    assertThat(row.openAgeS()).isEqualTo(960);
    assertThat(row.latestStage()).isEqualTo("p");
    assertThat(row.latestTimestampS()).isEqualTo(50);
    assertThat(row.eventCount()).isEqualTo(3);
    assertThat(row.worker()).isEqualTo("rank 5");
    assertThat(report(run).taskSummary().currentStageCounts()).containsExactly(entry("inner", 1));
  }

  @Test
  void openSpansAreSummedUpByRawNameOverAllOfThem() {
    TableBuilder run = new TableBuilder();
    for (int age = 1; age <= 4; age++) {
      run.session("s" + age).rank(age).start("x", 1_000 - age);
    }

    assertThat(report(run).openSpanSummaries()).hasSize(1);
    OpenSpanSummary summary = report(run).openSpanSummaries().get(0);
    assertThat(summary.openCount()).isEqualTo(4);
    assertThat(summary.oldestAgeS()).isEqualTo(4);
    assertThat(summary.oldestSession()).isEqualTo("s4");
    assertThat(summary.worker()).isEqualTo("rank 4");
    assertThat(summary.p50AgeS()).isEqualTo(2.5);
    assertThat(summary.p95AgeS()).isCloseTo(3.85, within(1e-9));
  }

  /** The clocks of viewer and writer differ. */
  @Test
  void aSpanThatBeginsInTheFutureHasNoAge() {
    TableBuilder run = new TableBuilder();
    run.session("a").start("x", 2_000);

    assertThat(report(run).rows().get(0).openAgeS()).isZero();
  }

  /** Containers last as long as what they hold: their age says nothing. */
  @Test
  void containersTeachNothingAboutWhatIsUsual() {
    TableBuilder run = new TableBuilder();
    SessionBuilder past = run.session("past");
    for (int i = 0; i < 30; i++) {
      past.span("x", i, i + 1, Outcome.OK, Kind.SESSION);
    }
    run.session("a").start("x", 999);

    assertThat(report(run).rows().get(0).usualP95S()).isNull();
  }

  @Test
  void asManyRowsAreGivenAsAreAskedFor() {
    TableBuilder run = run();
    run.session("a").start("fast", 990);
    run.session("b").start("fast", 991);
    LiveBoard board = new LiveBoard(run.table(), Scope.ALL);

    for (int max = 0; max <= 4; max++) {
      List<Row> rows = board.report(Boards.CONTEXT, 1_000_000_000_000L, max).rows();

      assertThat(rows).hasSize(Math.min(max, 3));
    }
    assertThat(board.report(Boards.CONTEXT, 1_000_000_000_000L, 1).rows().get(0).session())
        .isEqualTo("a");
  }
}
