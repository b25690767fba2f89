package io.rollscope.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpanMergeTest {
  private record Version(long endNs, String a, String b) implements SpanVersion<Version> {
    @Override
    public int compareContent(Version other) {
      return (a + "," + b).compareTo(other.a + "," + other.b);
    }

    @Override
    public Version and(Version weaker) {
      return new Version(endNs, a != null ? a : weaker.a, b != null ? b : weaker.b);
    }
  }

  private static Version merged(List<Version> versions) {
    List<Version> all = List.of(versions.get(0));
    for (Version version : versions) {
      all = SpanMerge.add(all, version);
    }
    return SpanMerge.united(all);
  }

  @Test
  void closedBeatsOpenAndTheLaterEndWins() {
    Version open = new Version(Nanos.OPEN, "open", "x");
    Version early = new Version(5, "early", null);
    Version late = new Version(7, null, null);
    assertThat(merged(List.of(open, early, late))).isEqualTo(new Version(7, "early", "x"));
  }

  @Test
  void ofEqualEndsTheLargerWins() {
    Version a = new Version(5, "a", "z");
    Version b = new Version(5, "b", null);
    assertThat(merged(List.of(a, b))).isEqualTo(new Version(5, "b", "z"));
  }

  @Test
  void anyOrderAndRepetitionGivesOneAnswer() {
    Random random = new Random(1);
    for (int n = 0; n < 200; n++) {
      List<Version> versions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        long end = random.nextInt(3) == 0 ? Nanos.OPEN : random.nextInt(2);
        versions.add(new Version(end, word(random), word(random)));
      }
      Version first = merged(versions);
      versions.addAll(List.copyOf(versions));
      Collections.shuffle(versions, random);
      assertThat(merged(versions)).isEqualTo(first);
    }
  }

  private static String word(Random random) {
    return random.nextBoolean() ? null : "w" + random.nextInt(4);
  }
}
