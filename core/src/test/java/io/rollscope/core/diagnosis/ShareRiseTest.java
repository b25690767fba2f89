package io.rollscope.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Where in a sequence something happened more often. */
class ShareRiseTest {
  private static Long[] tens(int count) {
    return LongStream.range(0, count).mapToObj(i -> i / 10).toArray(Long[]::new);
  }

  @Test
  void theStepsInWhichItRoseAreFound() {
    boolean[] hit = new boolean[80];
    for (int i = 0; i < 80; i++) {
      hit[i] = i >= 50 ? i % 2 == 0 : i % 25 == 0;
    }

    ShareRise rise = ShareRise.of(hit, tens(80));

    assertThat(rise.from()).isEqualTo(50);
    assertThat(rise.to()).isEqualTo(80);
    assertThat(rise.hits()).isEqualTo(15);
    assertThat(rise.share()).isEqualTo(.5);
    assertThat(rise.before()).isEqualTo(.04);
    assertThat(rise.isSurprising()).isTrue();
    assertThat(rise.lasts(80)).isTrue();
  }

  @Test
  void aSteadyShareIsNoSurprise() {
    boolean[] hit = new boolean[80];
    for (int i = 0; i < 80; i++) {
      hit[i] = i % 7 == 0;
    }

    assertThat(ShareRise.of(hit, tens(80)).isSurprising()).isFalse();
  }

  @Test
  void itIsOverWhenItHasNotHappenedForLong() {
    boolean[] hit = new boolean[80];
    for (int i = 20; i < 40; i++) {
      hit[i] = i % 2 == 0;
    }

    ShareRise rise = ShareRise.of(hit, tens(80));

    assertThat(rise.from()).isEqualTo(20);
    assertThat(rise.to()).isEqualTo(40);
    assertThat(rise.lasts(80)).isFalse();
    assertThat(rise.lasts(49)).isTrue();
  }

  @Test
  void whatNeverHappenedDidNotRise() {
    assertThat(ShareRise.of(new boolean[80], tens(80))).isNull();
    assertThat(ShareRise.of(new boolean[0], new Long[0])).isNull();
  }
}
