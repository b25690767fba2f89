package io.rollscope.store.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.view.LiveReport.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Only the rows that are shown are kept, of very many. */
class TopRowsTest {
  private static Row row(String session, Double age, Double usual, Double latest) {
    return new Row(
        session, session, null, "running", null, "s", null, null, age, usual, false, latest, 1,
        null, null, null, null, null);
  }

  private static final Comparator<Row> ORDER =
      Comparator.comparing((Row r) -> r.openAgeS() == null)
          .thenComparing(
              r -> r.openAgeS() == null ? 0 : -TopRows.overdue(r.openAgeS(), r.usualP95S()))
          .thenComparing(r -> r.openAgeS() == null ? 0 : -r.openAgeS())
          .thenComparing(r -> r.openAgeS() == null ? -r.latestTimestampS() : 0)
          .thenComparing(Row::session);

  @Test
  void theyAreTheFirstOfAllInOrder() {
    Random chance = new Random(7);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Double age = chance.nextInt(3) == 0 ? null : (Double) (double) chance.nextInt(40);
      Double usual = chance.nextBoolean() ? null : (Double) (double) chance.nextInt(4);
      all.add(row("s-" + chance.nextInt(100_000), age, usual, (double) chance.nextInt(50)));
    }
    for (int[] page : new int[][] {{0, 0}, {0, 1}, {0, 100}, {90, 10}, {0, 5_000}, {3_000, 10}}) {
      TopRows top = new TopRows(page[0] + page[1]);
      all.forEach(top::offer);

      List<Row> sorted = all.stream().sorted(ORDER).skip(page[0]).limit(page[1]).toList();
      assertThat(top.rows(page[0], session -> null)).isEqualTo(sorted);
    }
  }
}
