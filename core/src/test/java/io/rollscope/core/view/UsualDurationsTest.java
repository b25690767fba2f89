package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class UsualDurationsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void withFewerThanTwentySpansNothingIsUsualYet() {
    UsualDurations usual = new UsualDurations();
    for (int i = 0; i < 19; i++) {
      usual.add("x", i, SECOND);
    }
    assertThat(usual.p95("x")).isNull();

    usual.add("x", 19, SECOND);

    assertThat(usual.p95("x")).isEqualTo(1);
    assertThat(usual.p95("never seen")).isNull();
  }

  @Test
  void stagesDoNotMix() {
    UsualDurations usual = new UsualDurations();
    for (int i = 0; i < 20; i++) {
      usual.add("fast", i, SECOND);
      usual.add("slow", i, 9 * SECOND);
    }

    assertThat(usual.p95("fast")).isEqualTo(1);
    assertThat(usual.p95("slow")).isEqualTo(9);
  }

  /** A run that became slower: what was usual in the beginning is so no longer. */
  @Test
  void onlyTheLastThousandCount() {
    UsualDurations usual = new UsualDurations();
    for (int i = 0; i < 5_000; i++) {
      usual.add("x", i, SECOND);
    }
    for (int i = 5_000; i < 6_000; i++) {
      usual.add("x", i, 7 * SECOND);
    }

    assertThat(usual.p95("x")).isEqualTo(7);
  }

  private record Closed(long end, long duration) {}

  /** Files are read one after the other, not in order of time. */
  @Property(tries = 100)
  void theLastThousandAreThoseThatEndedLastInWhateverOrderTheyCame(
      @ForAll @IntRange(min = 20, max = 3_000) int count, @ForAll Random random) {
    List<Closed> spans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spans.add(new Closed(i, random.nextInt(1_000_000) * 1_000L));
    }
    Collections.shuffle(spans, random);
    UsualDurations usual = new UsualDurations();
    for (Closed span : spans) {
      usual.add("x", span.end(), span.duration());
      if (random.nextInt(100) == 0) {
        // Asked in between: the answer must not stick.
        usual.p95("x");
      }
    }

    double[] last =
        spans.stream()
            .sorted(Comparator.comparing(Closed::end).reversed())
            .limit(1_000)
            .mapToDouble(s -> s.duration() / 1e9)
            .toArray();
    assertThat(usual.p95("x")).isCloseTo(linear(last, .95), within(1e-9));
  }

  /** The definition: linear between the neighbours of position (n-1)·p. */
  private static double linear(double[] values, double p) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    double position = (sorted.length - 1) * p;
    int below = (int) Math.floor(position);
    int above = (int) Math.ceil(position);
    return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
  }
}
