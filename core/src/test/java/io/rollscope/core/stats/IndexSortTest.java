package io.rollscope.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class IndexSortTest {

  /** Few keys, so that most comparisons are ties, which must keep their order. */
  @Property
  void sortsAsListSortDoesTiesIncluded(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 9) Integer> keys) {
    int[] indexes = IntStream.range(0, keys.size()).toArray();
    List<Integer> expected =
        IntStream.range(0, keys.size()).boxed().sorted(Comparator.comparing(keys::get)).toList();

    IndexSort.sort(indexes, indexes.length, (a, b) -> keys.get(a) < keys.get(b));

    assertThat(indexes).containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
  }

  /** A buffer is longer than what it holds. */
  @Property
  void entriesBeyondTheCountStayWhereTheyAre(
      @ForAll @Size(min = 40, max = 40) List<Integer> keys,
      @ForAll @IntRange(min = 0, max = 40) int count) {
    int[] indexes = IntStream.range(0, 40).toArray();

    IndexSort.sort(indexes, count, (a, b) -> keys.get(a) < keys.get(b));

    assertThat(IntStream.range(count, 40).map(i -> indexes[i]))
        .containsExactlyElementsOf(IntStream.range(count, 40).boxed().toList());
  }

  /** A long session written backwards. */
  @Test
  void aHundredThousandReversedEntriesAreSorted() {
    int[] indexes = IntStream.range(0, 100_000).map(i -> 99_999 - i).toArray();

    IndexSort.sort(indexes, indexes.length, (a, b) -> a < b);

    assertThat(indexes).isSorted();
  }
}
