package io.rollscope.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DictionaryTest {

  /** Short texts of few characters repeat; the others are what people put into names. */
  @Provide
  Arbitrary<List<String>> texts() {
    Arbitrary<String> repeating = Arbitraries.strings().withChars("abä").ofMaxLength(3);
    Arbitrary<String> any =
        Arbitraries.strings()
            .withCharRange('\u0000', '\ud7ff')
            .withCharRange('\ue000', '\uffff')
            .ofMaxLength(40);
    return Arbitraries.oneOf(repeating, any, Arbitraries.just("gsm8k:\ud83d\ude00"))
        .list()
        .ofMaxSize(300);
  }

  @Property
  void numbersTextsAsAHashMapWould(@ForAll("texts") List<String> texts) {
    Dictionary dictionary = new Dictionary();
    Map<String, Integer> expected = new HashMap<>();
    for (String text : texts) {
      int number = expected.computeIfAbsent(text, t -> expected.size());

      assertThat(dictionary.intern(text)).isEqualTo(number);
    }

    assertThat(dictionary.size()).isEqualTo(expected.size());
    expected.forEach(
        (text, number) -> {
          assertThat(dictionary.text(number)).isEqualTo(text);
          assertThat(dictionary.word(number)).isEqualTo(text);
          assertThat(dictionary.find(text)).isEqualTo(number);
        });
    assertThat(dictionary.find("never seen: " + texts.size())).isEqualTo(-1);
  }

  /** A reader looks up bytes in the middle of its buffer, without making a String. */
  @Test
  void bytesWithinABufferAreTheSameAsTheirText() {
    Dictionary dictionary = new Dictionary();
    byte[] line = "{\"trace_id\":\"gsm8k:7\",…}".getBytes(StandardCharsets.UTF_8);
    dictionary.intern("other");

    int number = dictionary.intern(line, 13, 7);

    assertThat(dictionary.text(number)).isEqualTo("gsm8k:7");
    assertThat(dictionary.intern("gsm8k:7")).isEqualTo(number);
  }

  /** A run of a day has this many sessions. */
  @Test
  void twoHundredThousandTextsKeepTheirNumbers() {
    Dictionary dictionary = new Dictionary();
    for (int i = 0; i < 200_000; i++) {
      dictionary.intern("gsm8k:" + i);
    }

    for (int i = 0; i < 200_000; i += 997) {
      assertThat(dictionary.find("gsm8k:" + i)).isEqualTo(i);
      assertThat(dictionary.text(i)).isEqualTo("gsm8k:" + i);
    }
  }
}
