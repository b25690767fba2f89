package io.rollscope.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names come from whoever sends spans. */
class ConsoleTest {
  /** Two runs whose names look the same are two runs. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00, 0x1B, 0x7F, 0x9B, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E,
        0x2028, 0x2029, 0x202E, 0x2060, 0x2064, 0x2066, 0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9,
        0xE0001, 0xE0041, 0x1D173
      })
  void whatCannotBeSeenIsReplaced(int codePoint) {
    assertThat(Console.clean("run" + Character.toString(codePoint) + "-1"))
        .isEqualTo("run\uFFFD-1");
  }

  @Test
  void whatCanBeSeenStays() {
    String text = "gsm8k/trial ü 中文 😀 e\u0301 … →";
    assertThat(Console.clean(text)).isEqualTo(text);
    assertThat(Console.clean("a\tb\nc", "\t\n")).isEqualTo("a\tb\nc");
  }
}
