package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules that boards of folders and of memory share. */
class LiveReportBuilderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Group GROUP = new Group(null, "g", false);
  private static final Group OTHER = new Group(null, "h", false);

  private static Row row(String session, Double age, Double usual, Double latest) {
    return new Row(
        session, session, null, "running", null, "s", null, null, age, usual, false, latest, 1,
        null, null, null, null, null, null);
  }

  private static final Comparator<Row> ORDER =
      Comparator.comparing((Row r) -> r.openAgeS() == null)
          .thenComparing(
              r -> r.openAgeS() == null ? 0 : -Overdue.ratio(r.openAgeS(), r.usualP95S()))
          .thenComparing(r -> r.openAgeS() == null ? 0 : -r.openAgeS())
          .thenComparing(r -> r.openAgeS() == null ? -r.latestTimestampS() : 0)
          .thenComparing(Row::session);

  /** Sessions are their own rows; those of the map wait for the others of the same group. */
  private record Rows(Map<String, Group> waiting, Set<Group> working, double delay)
      implements LiveReportBuilder.Source<Row> {
    static final Rows PLAIN = new Rows(Map.of(), Set.of(), 0);

    @Override
    public Row row(Row session) {
      return session;
    }

    @Override
    public Group waitingGroup(Row session) {
      return waiting.get(session.session());
    }

    @Override
    public Set<Group> atWork(Set<Group> groups) {
      return groups.stream().filter(working::contains).collect(Collectors.toSet());
    }

    @Override
    public double delayS(String process) {
      return delay;
    }
  }

  @Test
  void onlyTheRowsThatAreShownAreKeptAndTheyAreTheFirstOfAllInOrder() {
    Random chance = new Random(7);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Double age = chance.nextInt(3) == 0 ? null : (Double) (double) chance.nextInt(40);
      Double usual = chance.nextBoolean() ? null : (Double) (double) chance.nextInt(4);
      all.add(row("s-" + chance.nextInt(100_000), age, usual, (double) chance.nextInt(50)));
    }
    for (int[] page : new int[][] {{0, 0}, {0, 1}, {0, 100}, {90, 10}, {0, 5_000}, {3_000, 10}}) {
      LiveReportBuilder<Row> top =
          new LiveReportBuilder<>(Rows.PLAIN, stage -> null, page[0], page[1]);
      for (Row row : all) {
        if (row.openAgeS() == null) {
          top.offerIdle(row.session(), row.latestTimestampS(), row);
        } else {
          top.offerOpen(row.session(), row.openAgeS(), row.usualP95S(), row);
        }
      }

      List<Row> sorted = all.stream().sorted(ORDER).skip(page[0]).limit(page[1]).toList();
      assertThat(top.rows()).isEqualTo(sorted);
    }
  }

  private static LiveReportBuilder<Row> board(Rows rows, double usual) {
    return new LiveReportBuilder<>(rows, stage -> usual, 0, 10);
  }

  private static void hang(LiveReportBuilder<Row> board, String session, int seconds) {
    board.begin(session, () -> session, 1_000 * SECOND);
    board.open("group", "group", (1_000 - 2 * seconds) * SECOND, null, -1, "p");
    board.open("judge", "judge", (1_000 - seconds) * SECOND, null, 0, "p");
    board.end(1, row(session, (double) seconds, .2, null));
    board.offerOpen(session, seconds, .2, row(session, (double) seconds, .2, null));
  }

  /** U4: a healthy run of short phases was in permanent alarm. */
  @Test
  void aPhaseOfAFewHundredMillisecondsIsNotOverdueForBeingReportedLate() {
    LiveReportBuilder<Row> healthy = board(Rows.PLAIN, .2);
    hang(healthy, "s", 2);
    assertThat(healthy.rows()).noneMatch(Row::suspect);

    LiveReportBuilder<Row> late = board(new Rows(Map.of(), Set.of(), 5), .2);
    hang(late, "s", 14);
    assertThat(late.rows()).noneMatch(Row::suspect);

    LiveReportBuilder<Row> hung = board(new Rows(Map.of(), Set.of(), 4), .2);
    hang(hung, "s", 14);
    assertThat(hung.rows()).allMatch(Row::suspect);
  }

  /** U31: one hang marked the rows of all stages around it. */
  @Test
  void onlyTheInnermostOfTheOverdueStagesIsMarked() {
    LiveReportBuilder<Row> board = board(Rows.PLAIN, .2);
    hang(board, "s", 100);
    board.rows();

    assertThat(board.openSpans())
        .filteredOn(OpenSpanSummary::suspect)
        .extracting(OpenSpanSummary::span)
        .containsExactly("judge");
  }

  /** U1: 61 of 71 overdue sessions only waited for a sibling. */
  @Test
  void aSessionThatOnlyWaitsForItsSiblingsIsNotOverdue() {
    Rows rows = new Rows(Map.of("b", GROUP, "c", OTHER), Set.of(GROUP), 0);
    LiveReportBuilder<Row> board = board(rows, .2);
    hang(board, "a", 100);
    hang(board, "b", 90);
    hang(board, "c", 80);

    assertThat(board.rows())
        .extracting(Row::session, Row::suspect, Row::waitsFor)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", true, null),
            org.assertj.core.groups.Tuple.tuple("b", false, Row.SIBLINGS),
            org.assertj.core.groups.Tuple.tuple("c", true, null));
  }
}
