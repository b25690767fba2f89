package io.rollscope.core.view;

import static io.rollscope.core.view.Boards.sessions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.table.SpanTable;
import org.junit.jupiter.api.Test;

/** Scopes (contracts.md 4.5 to 4.8). */
class ScopeTest {

  // ---- names -----------------------------------------------------------------------------------

  @Test
  void scopesAreCalledActiveLatestAndAll() {
    assertThat(Scope.named("active")).isEqualTo(Scope.ACTIVE);
    assertThat(Scope.named("latest")).isEqualTo(Scope.LATEST);
    assertThat(Scope.named("latest-produce-batch")).isEqualTo(Scope.LATEST);
    assertThat(Scope.named("all")).isEqualTo(Scope.ALL);
    assertThat(Scope.LATEST.word()).isEqualTo("latest");
    assertThat(Scope.ofBatch("b1").word()).isEqualTo("batch b1");
  }

  @Test
  void anotherNameIsRefusedWithTheNamesThereAre() {
    assertThatThrownBy(() -> Scope.named("foo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("scope: foo (expected: active, latest or all)");
  }

  // ---- latest ----------------------------------------------------------------------------------

  @Test
  void latestIsTheBatchWithTheHighestStepNotTheNewestEvent() {
    SpanTable table =
        new TableBuilder()
            .session("old")
            .batch("b1")
            .steps(1, 0, 0)
            .point("p", 100)
            .session("new")
            .batch("b9")
            .steps(9, 0, 0)
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("new");
  }

  @Test
  void atTheSameTrainingStepTheModelStepDecidesThenTheFutureStepThenTime() {
    TableBuilder run = new TableBuilder();
    run.session("model").batch("b1").steps(2, 1, 9).point("p", 9);
    run.session("future").batch("b2").steps(2, 2, 3).point("p", 8);
    assertThat(sessions(run.table(), Scope.LATEST)).containsExactly("future");

    run.session("later step").batch("b3").steps(2, 2, 4).point("p", 1);
    assertThat(sessions(run.table(), Scope.LATEST)).containsExactly("later step");

    run.session("later time").batch("b4").steps(2, 2, 4).point("p", 2);
    assertThat(sessions(run.table(), Scope.LATEST)).containsExactly("later time");
  }

  @Test
  void aMissingStepRanksBelowZero() {
    SpanTable table =
        new TableBuilder()
            .session("zero")
            .batch("b1")
            .steps(2, 0, null)
            .point("p", 1)
            .session("none")
            .batch("b2")
            .steps(2, null, 7)
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("zero");
  }

  @Test
  void ofTwoThatAreEqualInEverythingTheOneReadFirstIsTheLatest() {
    SpanTable table =
        new TableBuilder()
            .session("first")
            .batch("z")
            .steps(1, 1, 1)
            .point("p", 5)
            .session("second")
            .batch("y")
            .steps(1, 1, 1)
            .point("p", 5)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("first");
  }

  @Test
  void eventsWithoutABatchAreOutAsSoonAsAnyHasOne() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .point("p", 1)
            .session("step only")
            .steps(2, 0, 0)
            .point("p", 9)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("a");
  }

  @Test
  void batchesWithoutStepsAreRankedByTime() {
    SpanTable table =
        new TableBuilder()
            .session("z")
            .batch("z")
            .point("p", 1)
            .session("y")
            .batch("y")
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("y");
  }

  /** Whatever its other steps say. */
  @Test
  void aBatchWithoutATrainingStepRanksBelowAllThatHaveOne() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .steps(0, null, null)
            .point("p", 1)
            .session("b")
            .batch("b2")
            .steps(null, 7, 7)
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("a");
  }

  @Test
  void withoutAnyBatchTheHighestStepsCount() {
    SpanTable table =
        new TableBuilder()
            .session("one")
            .steps(1, 0, 0)
            .point("p", 9)
            .session("two")
            .steps(2, null, null)
            .point("p", 1)
            .session("none")
            .point("p", 10)
            .table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("two");
  }

  @Test
  void withoutAnyStepEverythingIsLatest() {
    SpanTable table =
        new TableBuilder().session("a").point("p", 1).session("b").point("p", 2).table();

    assertThat(sessions(table, Scope.LATEST)).containsExactly("a", "b");
  }

  /** An aborted sample is taken up again in the next batch under the same id. */
  @Test
  void ofASessionInTwoBatchesOnlyTheEventsOfTheLatestCount() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .steps(1, 0, 0)
            .start("x", 1)
            .batch("b2")
            .steps(2, 0, 0)
            .start("y", 2)
            .end("y", 3)
            .table();

    LiveReport report = Boards.report(table, Scope.LATEST, 10);

    assertThat(report.eventCount()).isEqualTo(2);
    assertThat(report.rawEventCount()).isEqualTo(3);
    assertThat(report.taskSummary().runningTasks()).isZero();
  }

  // ---- batch -----------------------------------------------------------------------------------

  @Test
  void aBatchIsChosenByTheIdOfItsSource() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .point("p", 1)
            .session("b")
            .batch("b2")
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.ofBatch("b1"))).containsExactly("a");
    assertThat(sessions(table, Scope.ofBatch("no such"))).isEmpty();
  }

  @Test
  void aBatchWithoutAnIdIsCalledAfterItsSteps() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .steps(2, 1, 3)
            .point("p", 1)
            .session("b")
            .steps(2, null, null)
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.ofBatch("train_step=2/model_step=1/future_step=3")))
        .containsExactly("a");
    assertThat(sessions(table, Scope.ofBatch("train_step=2"))).containsExactly("b");
  }

  // ---- active ----------------------------------------------------------------------------------

  /** What the original hides as soon as a newer batch has begun. */
  @Test
  void stalledSessionsOfAnOlderBatchStayVisible() {
    SpanTable table =
        new TableBuilder()
            .session("hung")
            .batch("b1")
            .start("x", 1)
            .session("waiting")
            .batch("b1")
            .start("x", 1)
            .end("x", 2)
            .session("done long ago")
            .batch("b1")
            .word("completed")
            .start("x", 1)
            .end("x", 2)
            .session("done")
            .batch("b2")
            .word("completed")
            .start("x", 8)
            .end("x", 9)
            .table();

    assertThat(sessions(table, Scope.ACTIVE)).containsExactly("done", "hung", "waiting");
  }

  /** A run resumed from an older checkpoint counts its steps from there. */
  @Test
  void theActiveBatchIsTheOneWithTheNewestEventWhateverItsStep() {
    SpanTable table =
        new TableBuilder()
            .session("before the crash")
            .batch("b9")
            .steps(9, 0, 0)
            .word("completed")
            .point("p", 1)
            .session("resumed")
            .batch("b5")
            .steps(5, 0, 0)
            .word("completed")
            .point("p", 2)
            .table();

    assertThat(sessions(table, Scope.ACTIVE)).containsExactly("resumed");
  }

  /** All of a session in scope is shown, not only its events of the newest batch. */
  @Test
  void anActiveSessionIsShownWhole() {
    SpanTable table =
        new TableBuilder()
            .session("a")
            .batch("b1")
            .point("p", 1)
            .batch("b2")
            .word("completed")
            .point("p", 2)
            .table();

    assertThat(Boards.report(table, Scope.ACTIVE, 10).eventCount()).isEqualTo(2);
  }

  @Test
  void anEmptyTableIsEmptyInEveryScope() {
    for (Scope scope : new Scope[] {Scope.ACTIVE, Scope.LATEST, Scope.ALL, Scope.ofBatch("b")}) {
      LiveReport report = Boards.report(new SpanTable(), scope, 10);

      assertThat(report.rows()).isEmpty();
      assertThat(report.openSpanSummaries()).isEmpty();
      assertThat(report.sessionSummary()).containsEntry("total", 0);
    }
  }
}
