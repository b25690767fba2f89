package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.decodeOne;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.span;
import static io.rollscope.otlp.Otlp.texts;
import static io.rollscope.otlp.Otlp.visited;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Reduction;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AttributesTest {

  static Stream<Arguments> values() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", 1);
    map.put("b\"\\\n", List.of("x", 2.5, true));
    map.put("none", null);
    return Stream.of(
        Arguments.of("gsm8k", "gsm8k"),
        Arguments.of("", ""),
        Arguments.of("Zürich 漢字 🎲", "Zürich 漢字 🎲"),
        Arguments.of(7, "7"),
        Arguments.of(Long.MIN_VALUE, "-9223372036854775808"),
        Arguments.of(0.25, "0.25"),
        Arguments.of(1e10, "10000000000"),
        Arguments.of(1.5e-5, "0.000015"),
        Arguments.of(1e300, "1.0E300"),
        Arguments.of(Double.NaN, "NaN"),
        Arguments.of(Double.NEGATIVE_INFINITY, "-Infinity"),
        Arguments.of(true, "true"),
        Arguments.of(false, "false"),
        Arguments.of(new byte[] {1, 2, 3, -1}, "AQID/w=="),
        Arguments.of(null, ""),
        Arguments.of(List.of(), "[]"),
        Arguments.of(List.of("a", 1, Double.NaN), "[\"a\",1,\"NaN\"]"),
        Arguments.of(map, "{\"a\":1,\"b\\\"\\\\\\u000a\":[\"x\",2.5,true],\"none\":null}"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void everyKindOfValueHasAText(Object value, String text) throws BadRequestException {
    Attributes attributes = of(span().addAttributes(attribute("key", value)));

    assertThat(texts(attributes)).containsExactly(Map.entry("key", text));
    assertThat(visited(attributes)).containsExactly("key=" + text);
  }

  @Test
  void ofAKeyThatOccursTwiceTheFirstCounts() throws BadRequestException {
    Attributes attributes =
        of(
            span()
                .addAttributes(attribute("a", 1))
                .addAttributes(attribute("b", 2))
                .addAttributes(attribute("a", 3)));

    assertThat(visited(attributes)).containsExactly("a=1", "b=2");
  }

  @Test
  void manyKeysStayApart() throws BadRequestException {
    Span.Builder span = span();
    for (int i = 0; i < 500; i++) {
      span.addAttributes(attribute("key" + i, i)).addAttributes(attribute("key" + i, -1));
    }

    Map<String, String> texts = texts(of(span));

    assertThat(texts).hasSize(500);
    assertThat(texts).allSatisfy((k, v) -> assertThat(k).isEqualTo("key" + v));
  }

  @Test
  void noMoreThanAThousandAreShown() throws BadRequestException {
    Span.Builder span = span();
    for (int i = 0; i < 1_001; i++) {
      span.addAttributes(attribute("key" + i, i));
    }

    assertThat(texts(of(span)))
        .hasSize(1_001)
        .doesNotContainKey("key1000")
        .containsEntry("otel.dropped_attributes_count", "1");
  }

  @Test
  void longTextIsCutBetweenTwoCharactersAndSaysItsLength() throws BadRequestException {
    String text = texts(of(span().addAttributes(attribute("k", "ü".repeat(40_000))))).get("k");

    assertThat(text).startsWith("üüü").endsWith("ü…(80000 bytes)").doesNotContain("\uFFFD");
    assertThat(text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
        .isBetween(65_000, 65_536);
  }

  @Test
  void longListsAndBytesAreCutToo() throws BadRequestException {
    String[] words = new String[20_000];
    Arrays.fill(words, "word");

    Map<String, String> texts =
        texts(
            of(
                span()
                    .addAttributes(attribute("list", List.of(words)))
                    .addAttributes(attribute("bytes", new byte[300_000]))));

    assertThat(texts.get("list")).startsWith("[\"word\",\"word\"").endsWith("…(140001 bytes)");
    assertThat(texts.get("bytes")).startsWith("AAAA").endsWith("…(400000 bytes)");
  }

  /** A C++ sender that cuts its strings in the middle of a character. */
  @Test
  void wrongUtf8IsReplaced() throws BadRequestException {
    byte[] bytes =
        Otlp.traces(resource(), span().addAttributes(attribute("k\u00fc", "ab\u00fccd")).build())
            .toByteArray();
    byte[] wrong = ByteString.copyFrom(bytes).toByteArray();
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = wrong[i] == (byte) 0xBC ? (byte) 'x' : wrong[i];
    }

    Attributes attributes =
        RequestDecoder.decode(Signal.TRACES, wrong, 0, Otlp.NOW).spans().get(0).attributes();

    assertThat(visited(attributes)).containsExactly("k\uFFFDx=ab\uFFFDxcd");
    assertThat(texts(attributes)).containsExactly(Map.entry("k\uFFFDx", "ab\uFFFDxcd"));
  }

  @Test
  void detachedOnesAreTheSameInBytesOfTheirOwn() throws BadRequestException {
    Attributes attributes =
        of(span().addAttributes(attribute("a", 1)).addAttributes(attribute("b", "x")));

    Attributes detached = attributes.detached();

    assertThat(detached).isEqualTo(attributes).hasSameHashCodeAs(attributes);
    assertThat(detached.bytes().length).isLessThan(attributes.bytes().length);
    assertThat(visited(detached)).containsExactly("a=1", "b=x");
    assertThat(detached.detached()).isSameAs(detached);
  }

  @Test
  void whatIsNotShownIsCounted() throws BadRequestException {
    Span.Builder many = span().addAttributes(attribute("long", "x".repeat(70_000)));
    for (int i = 0; i < 1_009; i++) {
      many.addAttributes(attribute("k" + i, List.of("x".repeat(i == 0 ? 66_000 : 1))));
    }
    var request =
        Otlp.decode(resource(attribute("r", "x".repeat(66_000))), many.build(), span().build());

    assertThat(request.reduction()).isEqualTo(new Reduction(10, 3));
    assertThat(texts(request.spans().get(0).attributes()))
        .hasSize(1_001)
        .containsEntry("otel.dropped_attributes_count", "10");
    assertThat(Otlp.decode(resource(), span().build()).reduction().isNone()).isTrue();
  }

  @Test
  void whatTheSenderDroppedIsShown() throws BadRequestException {
    Span.Builder span = span().addAttributes(attribute("a", 1)).setDroppedAttributesCount(7);

    assertThat(texts(of(span))).isEqualTo(Map.of("a", "1", "otel.dropped_attributes_count", "7"));
    assertThat(texts(of(span().setDroppedAttributesCount(3))))
        .isEqualTo(Map.of("otel.dropped_attributes_count", "3"));
    assertThat(texts(of(span().addAttributes(attribute("a", 1))))).isEqualTo(Map.of("a", "1"));
  }

  /** Looking a key up among a thousand others, ten million times, would take minutes. */
  @Test
  void repeatedKeysAreNotLookedAtForEver() throws BadRequestException {
    Span.Builder span = span();
    for (int i = 0; i < 15_000; i++) {
      span.addAttributes(attribute("k" + i % 999, i));
    }
    var request = Otlp.decode(resource(), span.build());

    assertThat(request.reduction()).isEqualTo(new Reduction(5_000, 0));
    assertThat(texts(request.spans().get(0).attributes()))
        .hasSize(1_000)
        .containsEntry("k3", "3")
        .containsEntry("otel.dropped_attributes_count", "5000");
  }

  private static Attributes of(Span.Builder span) throws BadRequestException {
    return decodeOne(resource(), span).attributes();
  }
}
