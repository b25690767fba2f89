package io.rollscope.formats.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RowsTest {

  record Slice(long start, long end) {
    boolean crosses(Slice other) {
      return start < other.start && other.start < end && end < other.end;
    }
  }

  @Provide
  Arbitrary<List<Slice>> slices() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 30), Arbitraries.longs().between(0, 15))
        .as((start, length) -> new Slice(start, start + length))
        .list()
        .ofMaxSize(40)
        .map(RowsTest::inOrder);
  }

  private static List<Slice> inOrder(List<Slice> slices) {
    List<Slice> sorted = new ArrayList<>(slices);
    sorted.sort(
        Comparator.comparingLong(Slice::start)
            .thenComparing(Comparator.comparingLong(Slice::end).reversed()));
    return sorted;
  }

  @Property
  void noTwoSlicesOfARowCross(@ForAll("slices") List<Slice> slices) {
    Rows rows = new Rows((row, slice) -> {});
    List<List<Slice>> placed = new ArrayList<>();
    for (Slice slice : slices) {
      int row = rows.place(slice.start(), slice.end(), 0, 0);
      while (placed.size() <= row) {
        placed.add(new ArrayList<>());
      }
      assertThat(placed.get(row)).noneMatch(s -> s.crosses(slice) || slice.crosses(s));
      placed.get(row).add(slice);
    }
  }

  @Property
  void slicesThatNestStayInTheFirstRow(@ForAll("slices") List<Slice> slices) {
    Rows rows = new Rows((row, slice) -> {});
    List<Slice> kept = new ArrayList<>();
    for (Slice slice : slices) {
      if (kept.stream().noneMatch(s -> s.crosses(slice) || slice.crosses(s))) {
        kept.add(slice);
        assertThat(rows.place(slice.start(), slice.end(), 0, 0)).isZero();
      }
    }
  }

  @Test
  void rowsAreUsedAgainWhenTheyAreFree() {
    Rows rows = new Rows((row, slice) -> {});

    assertThat(rows.place(0, 10, 0, 0)).isZero();
    assertThat(rows.place(5, 15, 0, 1)).isEqualTo(1);
    assertThat(rows.place(7, 12, 0, 2)).isEqualTo(1);
    assertThat(rows.place(8, 20, 0, 3)).isEqualTo(2);
    assertThat(rows.place(16, 30, 0, 4)).isZero();
    assertThat(rows.place(17, 40, 0, 5)).isEqualTo(1);
  }

  @Test
  void thousandsOfSlicesAtOnceTakeNoTimeToPlace() {
    Rows rows = new Rows((row, slice) -> {});

    for (int i = 0; i < 200_000; i++) {
      assertThat(rows.place(i, i + 1_000_000L, 0, i)).isEqualTo(i);
    }
  }
}
