package io.rollscope.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SiblingWaitsTest {

  @Test
  void aSessionWithoutSiblingsWaitsForNobody() {
    SiblingWaits<String, String> waits = new SiblingWaits<>();
    waits.add("g", "a", 10);

    assertThat(SiblingWaits.cut(5, 9, waits.othersEnd("g", "a"))).isZero();
    assertThat(SiblingWaits.cut(5, 9, waits.othersEnd("h", "b"))).isZero();
    assertThat(SiblingWaits.cut(5, 9, waits.othersEnd(null, "b"))).isZero();
  }

  @Test
  void theWaitEndsWithTheLastSiblingsOwnWork() {
    SiblingWaits<String, String> waits = new SiblingWaits<>();
    waits.add("g", "a", 10);
    waits.add("g", "b", 30);
    waits.add("g", "c", 20);

    assertThat(SiblingWaits.cut(10, 40, waits.othersEnd("g", "a"))).isEqualTo(20);
    assertThat(SiblingWaits.cut(30, 40, waits.othersEnd("g", "b"))).isZero();
    assertThat(SiblingWaits.cut(20, 25, waits.othersEnd("g", "c"))).isEqualTo(5);
  }

  /** Any order of arrival and any cut of the run into parts gives the same waits. */
  @Property
  void partsOfARunCanBeAddedInAnyOrder(
      @ForAll List<@IntRange(min = 0, max = 9) Integer> ends, @ForAll Random random) {
    List<SiblingWaits<Integer, Integer>> parts =
        List.of(new SiblingWaits<>(), new SiblingWaits<>(), new SiblingWaits<>());
    for (int s = 0; s < ends.size(); s++) {
      parts.get(random.nextInt(3)).add(s % 2, s, ends.get(s));
    }
    SiblingWaits<Integer, Integer> all = parts.get(random.nextInt(3));
    parts.stream().filter(p -> p != all).forEach(all::addAll);

    for (int s = 0; s < ends.size(); s++) {
      long latest = SiblingWaits.NOBODY;
      for (int other = 0; other < ends.size(); other++) {
        boolean sibling = other != s && other % 2 == s % 2;
        latest = sibling ? Math.max(latest, ends.get(other)) : latest;
      }
      assertThat(all.othersEnd(s % 2, s)).isEqualTo(latest);
    }
  }
}
