package io.rollscope.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyTest {
  /** Shifts go round: a key beyond the 64th would share the bit of the first. */
  @Test
  void everyKeyHasABitOfItsOwn() {
    assertThat(Arrays.stream(Key.values()).map(Key::bit)).doesNotHaveDuplicates();
  }
}
