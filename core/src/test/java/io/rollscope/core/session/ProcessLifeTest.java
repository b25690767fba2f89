package io.rollscope.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessLifeTest {
  private final ProcessLife life = new ProcessLife();

  @Test
  void whatHappenedBeforeTheEndDoesNotBringAProcessBackWhenItComesLate() {
    life.end(100);
    life.record(90);
    life.record(100);
    assertThat(life.hasEnded()).isTrue();
    assertThat(life.recordNs()).isEqualTo(100);
  }

  @Test
  void whatHappenedAfterTheEndBringsItBackInWhateverOrderItComes() {
    life.record(101);
    life.end(100);
    assertThat(life.hasEnded()).isFalse();
    life.end(102);
    assertThat(life.hasEnded()).isTrue();
  }

  @Test
  void oneThatNeverSaidGoodbyeHasNotEnded() {
    life.record(5);
    assertThat(life.hasEnded()).isFalse();
  }
}
