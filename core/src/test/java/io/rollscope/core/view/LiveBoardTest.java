package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveBoardTest {

  private static void append(SpanTable table, SessionBuilder... told) {
    for (SessionBuilder session : told) {
      TableBuilder.append(table, session.rows());
    }
  }

  private static SessionBuilder session(String key) {
    return new TableBuilder().session(key);
  }

  private static SpanTable table(SessionBuilder... told) {
    SpanTable table = new SpanTable();
    append(table, told);
    return table;
  }

  @Test
  void theBoardFollowsASessionFromStartToEnd() {
    SpanTable table = table(session("a").start("x", 1));
    LiveBoard board = new LiveBoard(table, Scope.ALL);
    assertThat(Boards.report(board, 10).sessionSummary()).containsEntry("running", 1);

    append(table, session("a").word("completed").end("x", 5));
    board.update();

    LiveReport report = Boards.report(board, 10);
    assertThat(report.sessionSummary()).containsEntry("running", 0).containsEntry("completed", 1);
    assertThat(report.openSpanSummaries()).isEmpty();
    assertThat(report.rows().get(0).latestStage()).isEqualTo("x.end");
  }

  /** The screen is drawn every second; mostly nothing has happened. */
  @Test
  void aQuietUpdateLoadsNoSession() {
    SpanTable table =
        table(session("a").start("x", 1), session("b").point("p", 2), session("c").point("p", 3));
    for (Scope scope : new Scope[] {Scope.ACTIVE, Scope.LATEST, Scope.ALL, Scope.ofBatch("b")}) {
      LiveBoard board = new LiveBoard(table, scope);
      SessionSpans buffer = board.load(1);

      board.update();

      assertThat(buffer.session()).as("session in the board's buffer, %s", scope).isEqualTo(1);
    }
  }

  /** A run of a day has a hundred thousand finished sessions. */
  @Test
  void anUpdateLoadsTheSessionWithNewsOnly() {
    for (Scope scope : new Scope[] {Scope.ACTIVE, Scope.LATEST, Scope.ALL}) {
      SpanTable table =
          table(
              session("a").start("x", 1),
              session("b").point("p", 2),
              session("c").word("completed").point("p", 3));
      LiveBoard board = new LiveBoard(table, scope);
      SessionSpans buffer = board.load(2);
      append(table, session("b").start("x", 4));

      board.update();

      assertThat(buffer.session()).as("%s", scope).isEqualTo(table.findSession("b"));
    }
  }

  /** A server keeps a board per scope that anybody looks at. */
  @Test
  void twoBoardsOfOneTableBothSeeTheNews() {
    SpanTable table = table(session("a").start("x", 1));
    LiveBoard all = new LiveBoard(table, Scope.ALL);
    LiveBoard active = new LiveBoard(table, Scope.ACTIVE);
    append(table, session("a").start("y", 2), session("b").start("x", 2));

    all.update();
    active.update();

    assertThat(Boards.report(all, 10).taskSummary().runningTasks()).isEqualTo(2);
    assertThat(Boards.report(active, 10).taskSummary().runningTasks()).isEqualTo(2);
    assertThat(Boards.report(active, 10).rows()).hasSize(2);
  }

  /** The second file of a folder holds an end that happened before one read long ago. */
  @Test
  void anEarlierEndThatComesLateCorrectsWhatIsUsual() {
    SpanTable table = new SpanTable();
    for (int i = 0; i < 20; i++) {
      append(table, session("s" + i).start("x", i).end("x", i + 100));
    }
    append(table, session("open").start("x", 990));
    LiveBoard board = new LiveBoard(table, Scope.ALL);
    assertThat(Boards.report(board, 1_000).rows().get(0).usualP95S()).isEqualTo(100);
    for (int i = 0; i < 20; i++) {
      append(table, session("s" + i).end("x", i + 1));
    }

    board.update();

    assertThat(Boards.report(board, 1_000).rows().get(0).usualP95S()).isEqualTo(1);
  }

  /** The trainer's own work is written beside the sessions. */
  @Test
  void workOutsideSessionsIsLearnedOnceAndByItself() {
    SpanTable table = new SpanTable();
    LiveBoard board = new LiveBoard(table, Scope.ALL);
    SessionBuilder past = session("past").word("completed");
    for (int i = 0; i < 15; i++) {
      past.span("x", i, i + 1);
    }
    SessionBuilder lane = new TableBuilder().lane("trainer");
    for (int i = 0; i < 20; i++) {
      lane.span("train", i, i + 3);
    }
    append(table, past, lane, session("open").start("x", 990), session("busy").start("train", 980));

    board.update();

    assertThat(Boards.report(board, 1_000))
        .isEqualTo(Boards.report(new LiveBoard(table, Scope.ALL), 1_000));
    assertThat(Boards.report(board, 1_000).rows())
        .filteredOn(r -> r.session().equals("open"))
        .allMatch(r -> r.usualP95S() == null);
    assertThat(Boards.report(board, 1_000).rows())
        .filteredOn(r -> r.session().equals("busy"))
        .allMatch(r -> r.usualP95S() == 3);
  }

  /** Lost is neither queued nor running, so an old batch's dead sessions are not active. */
  @Test
  void openSpansOfSessionsOutOfScopeAreNotCounted() {
    SpanTable table =
        table(
            session("dead").batch("b1").lost("x", 1),
            session("done").batch("b2").word("completed").point("p", 5));

    LiveReport report = Boards.report(table, Scope.ACTIVE, 10);

    assertThat(report.rows()).extracting(LiveReport.Row::session).containsExactly("done");
    assertThat(report.taskSummary()).isEqualTo(new LiveReport.TaskSummary(1, 0, 1, Map.of()));
    assertThat(report.openSpanSummaries()).isEmpty();
    assertThat(Boards.report(table, Scope.ALL, 10).sessionSummary())
        .containsEntry(Status.LOST.word(), 1);
  }

  @Test
  void everyStatusIsCountedByItsWord() {
    SpanTable table =
        table(
            session("1").start("x", 1),
            session("2").point("p", 1),
            session("3").word("completed").point("p", 1),
            session("4").word("accepted").point("p", 1),
            session("5").word("filtered").point("p", 1),
            session("6").word("failed").point("p", 1),
            session("7").word("expired").point("p", 1),
            session("8").word("aborted").point("p", 1),
            session("9").lost("x", 1));

    assertThat(Boards.report(table, Scope.ALL, 10).sessionSummary())
        .containsExactly(
            entry("total", 9),
            entry("running", 1),
            entry("queued", 1),
            entry("completed", 1),
            entry("accepted", 1),
            entry("rejected", 1),
            entry("failed", 1),
            entry("dropped", 1),
            entry("cancelled", 1),
            entry("lost", 1));
  }
}
