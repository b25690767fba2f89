package io.rollscope.otlp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ByteHashTest {

  @Test
  void theHashIsOfTheTextWhereverItLies() {
    for (String text : new String[] {"", "a", "rl.kind", "rl.stage", "gen_ai.request.model"}) {
      byte[] alone = text.getBytes(US_ASCII);
      byte[] inside = ("xyz" + text + "xyz").getBytes(US_ASCII);

      assertThat(ByteHash.of(inside, 3, 3 + text.length()))
          .isEqualTo(ByteHash.of(alone, 0, alone.length));
    }
  }

  @Test
  void numberedKeysSpreadOverTheUpperBits() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 256; i++) {
      byte[] key = ("session." + i).getBytes(US_ASCII);
      slots.add(ByteHash.of(key, 0, key.length) >>> 24);
    }

    assertThat(slots).hasSizeGreaterThan(120);
  }
}
