package io.rollscope.otlp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The check against Java's own decoder. */
class Utf8Test {

  @Property
  void anyTextIsValid(@ForAll String text) {
    byte[] b = text.getBytes(StandardCharsets.UTF_8);

    assertThat(Utf8.firstInvalid(b, 0, b.length)).isEqualTo(-1);
  }

  /** Tears, flipped bits, Latin-1 text and binary data in a log. */
  @Property(tries = 20_000)
  void findsTheByteAtWhichJavaGivesUp(@ForAll("bytes") byte[] b) {
    assertThat(Utf8.firstInvalid(b, 0, b.length)).isEqualTo(firstMalformed(b));
  }

  /** A line lies in a buffer with other lines around it: what follows must not complete it. */
  @Property
  void looksOnlyBetweenItsBounds(
      @ForAll("bytes") byte[] b, @ForAll byte before, @ForAll byte after) {
    byte[] wide = new byte[b.length + 2];
    wide[0] = before;
    System.arraycopy(b, 0, wide, 1, b.length);
    wide[b.length + 1] = after;

    int expected = firstMalformed(b);

    assertThat(Utf8.firstInvalid(wide, 1, b.length + 1))
        .isEqualTo(expected < 0 ? -1 : expected + 1);
  }

  /** All two-byte and three-byte beginnings, where overlong forms and surrogates hide. */
  @Test
  void everyBeginningIsJudgedAsJavaDoes() {
    for (int first = 0x80; first <= 0xFF; first++) {
      for (int second = 0; second <= 0xFF; second++) {
        byte[] b = {(byte) first, (byte) second, (byte) 0x80, (byte) 0x80};
        for (int length = 1; length <= 4; length++) {
          byte[] cut = Arrays.copyOf(b, length);
          assertThat(Utf8.firstInvalid(cut, 0, length))
              .as(Arrays.toString(cut))
              .isEqualTo(firstMalformed(cut));
        }
      }
    }
  }

  private static int firstMalformed(byte[] b) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(b);
    CoderResult result = decoder.decode(in, CharBuffer.allocate(b.length + 1), true);
    return result.isError() ? in.position() : -1;
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> usual =
        Arbitraries.of(
            (byte) 'a',
            (byte) 0x80,
            (byte) 0x9F,
            (byte) 0xA0,
            (byte) 0xBF,
            (byte) 0xC0,
            (byte) 0xC1,
            (byte) 0xC2,
            (byte) 0xDF,
            (byte) 0xE0,
            (byte) 0xED,
            (byte) 0xEF,
            (byte) 0xF0,
            (byte) 0xF4,
            (byte) 0xF5,
            (byte) 0xFF,
            (byte) 0x8F,
            (byte) 0x90);
    return Arbitraries.oneOf(usual, usual, Arbitraries.bytes()).array(byte[].class).ofMaxSize(12);
  }
}
