package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.TableBuilder;
import io.rollscope.core.TableBuilder.SessionBuilder;
import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.view.ReportContext.SkippedLines;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spans for reports that carry their data with them. */
class SpanColumnsTest {
  private static final ReportContext CONTEXT =
      new ReportContext("source", "run", new SkippedLines(0, List.of()));
  private static final long SECOND = 1_000_000_000L;

  private static SessionColumns sessions(SpanTable table) {
    return SessionColumnsView.of(table, Scope.ALL, SessionColumns.MAX_BUDGET, CONTEXT);
  }

  private static SpanColumns spans(SpanTable table, int trackBudget) {
    SessionColumns sessions = sessions(table);
    return SpanColumnsView.of(
        table, Scope.ALL, sessions, SpanSample.of(sessions, 1_000), trackBudget, n -> {});
  }

  @Test
  void startsCountFromTheSpanBeforeAndParentsFromTheLane() {
    SpanColumns told =
        spans(
            new TableBuilder()
                .session("a")
                .start("outer", 10)
                .start("inner", 12)
                .end("inner", 15)
                .end("outer", 20)
                .session("b")
                .start("outer", 11)
                .error("outer", 13, "TimeoutError: no answer")
                .start("inner", 14)
                .table(),
            10);
    assertThat(told.names()).containsExactly("outer", "inner");
    assertThat(told.laneSession()).containsExactly(0, 1);
    assertThat(told.laneSpans()).containsExactly(2, 2);
    assertThat(told.name()).containsExactly(0, 1, 0, 1);
    assertThat(told.parent()).containsExactly(-1, 0, -1, -1);
    assertThat(told.fromNs()).isEqualTo(10 * SECOND);
    assertThat(told.laneFromNs()).containsExactly(0, SECOND);
    assertThat(told.startNs()).containsExactly(0, 2 * SECOND, 0, 3 * SECOND);
    assertThat(told.durationNs()).containsExactly(10 * SECOND, 3 * SECOND, 2 * SECOND, 6 * SECOND);
    // outer until inner starts, inner until it ends, outer; then outer, a gap until inner starts.
    assertThat(told.lanePieces()).containsExactly(3, 3);
    assertThat(told.pieceLeaf()).containsExactly(0, 2, -2, 0, 2 * Pieces.GAP + 1, 2);
    assertThat(told.pieceEnd()).containsExactly(2, 1, 0, 1, 2, 0);
    assertThat(told.pathStages()).containsExactly("outer", "inner", "inner");
    assertThat(told.pathParents()).containsExactly(-1, 0, -1);
    assertThat(told.path()).containsExactly(0, 1, 0, 2);
    assertThat(told.open()).containsExactly(3);
    assertThat(told.errorAt()).containsExactly(2);
    assertThat(told.errors()).containsExactly("TimeoutError: no answer");
  }

  /** Clocks of two processes differ, and a sender can name parents in a circle. */
  @Test
  void parentsThatComeLaterOrGoInACircleAreNone() {
    SpanColumns told =
        spans(
            new TableBuilder()
                .session("a")
                .span("child", 1, 2)
                .ids(2, 1)
                .span("late parent", 3, 9)
                .ids(1, 0)
                .span("round", 4, 5)
                .ids(3, 4)
                .span("about", 4, 6)
                .ids(4, 3)
                .table(),
            10);
    for (int i = 0; i < told.parent().length; i++) {
      assertThat(told.parent()[i]).isLessThan(i);
    }
  }

  /** Perf traces have a thousand spans for each that a person looks at. */
  @Test
  void ofTracksTheLongestStay() {
    SessionBuilder track = new TableBuilder().lane("rank 0");
    for (int i = 0; i < 20; i++) {
      track.span("op", 100 * i, 100 * i + 1 + i);
    }
    SpanColumns told = spans(track.table(), 5);
    assertThat(told.tracks()).containsExactly("rank 0");
    assertThat(told.durationNs()).hasSizeLessThanOrEqualTo(5).contains(20 * SECOND);
  }

  @Test
  void theSlowestTheOpenAndTheFailedStayAndAFairPartOfTheRest() {
    TableBuilder builder = new TableBuilder();
    for (int i = 0; i < 400; i++) {
      double from = 10 * i;
      SessionBuilder session = builder.session("s" + i);
      session.word(i % 100 == 7 ? "failed" : "completed");
      session.start("x", from).end("x", from + 1 + (i == 200 ? 500 : 0));
      if (i == 399) {
        session.word(null).start("y", from + 1);
      }
    }
    SpanTable table = builder.table();
    SessionColumns sessions = sessions(table);
    BitSet kept = SpanSample.of(sessions, 100);
    List<String> ids = new ArrayList<>();
    long spans = 0;
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      ids.add(sessions.session()[i]);
      spans += sessions.spanCount()[i];
    }
    assertThat(spans).isBetween(95L, 100L);
    assertThat(ids).contains("s7", "s107", "s207", "s307", "s200", "s399");
    // The rest is from everywhere: of each quarter of the run some.
    for (int quarter = 0; quarter < 4; quarter++) {
      int first = 100 * quarter;
      assertThat(ids)
          .filteredOn(
              id -> {
                int n = Integer.parseInt(id.substring(1));
                return n >= first && n < first + 100;
              })
          .hasSizeGreaterThan(8);
    }
    assertThat(SpanSample.of(sessions, 100)).isEqualTo(kept);
    assertThat(SpanSample.of(sessions, 1_000).cardinality()).isEqualTo(400);
  }
}
