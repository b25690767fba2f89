package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.span;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that are no request, or hardly one: a broken proxy, a wrong port, an attack. */
class MalformedRequestTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0a | byte 1: end of message (expected: a whole number)",
        "0a05 | byte 1: length 5 (expected: at most 0)",
        "0aff01 | byte 1: length 255 (expected: at most 0)",
        "0affffffffffffffffff01 | byte 1: length 18446744073709551615 (expected: at most 0)",
        "00 | byte 0: field 0 (expected: a field number from 1)",
        "0e | byte 1: wire type 6 (expected: 0 to 5)",
        "0f | byte 1: wire type 7 (expected: 0 to 5)",
        "10ffffffffffffffffffff01 | byte 1: a number of more than 10 bytes (expected: at most 10)",
        "1101020304 | byte 1: 4 bytes left (expected: 8 bytes)",
        "150102 | byte 1: 2 bytes left (expected: 4 bytes)",
        "13 | byte 1: end of message (expected: end of group 2)",
        "14 | byte 1: end of group 2 (expected: its beginning before)",
        "131c | byte 2: end of group 3 (expected: its beginning before)",
        "ffffffff0f | byte 5: wire type 7 (expected: 0 to 5)",
        "ffffffffffff01 | byte 0: tag 8796093022207 (expected: at most 32 bits)",
      })
  void theMessageSaysWhereAndWhatWasExpected(String hex, String message) {
    byte[] bytes = HexFormat.of().parseHex(hex);

    assertThatThrownBy(() -> RequestDecoder.decode(Signal.TRACES, bytes, 0, NOW))
        .isInstanceOf(BadRequestException.class)
        .hasMessage(message);
  }

  @Test
  void nothingIsARequestWithoutItems() throws BadRequestException {
    for (Signal signal : Signal.values()) {
      assertThat(RequestDecoder.decode(signal, new byte[0], 0, NOW).acceptedCount()).isZero();
    }
  }

  /** What a newer protocol may add. */
  @Test
  void unknownFieldsOfEveryWireTypeArePassedOver() throws BadRequestException {
    UnknownFieldSet group =
        UnknownFieldSet.newBuilder()
            .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                1_000,
                UnknownFieldSet.Field.newBuilder()
                    .addVarint(-1)
                    .addFixed32(7)
                    .addFixed64(8)
                    .addLengthDelimited(ByteString.copyFromUtf8("new"))
                    .addGroup(group)
                    .build())
            .build();
    Span span = span().addAttributes(attribute("a", 1)).setUnknownFields(unknown).build();
    var request = Otlp.traces(resource(), span).toBuilder().setUnknownFields(unknown).build();

    Request decoded = RequestDecoder.decode(Signal.TRACES, request.toByteArray(), 0, NOW);

    assertThat(decoded.spans()).isEqualTo(Otlp.decode(resource(), clean(span)).spans());
  }

  private static Span clean(Span span) {
    return span.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()).build();
  }

  @Test
  void groupsInGroupsAreBounded() {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) 0x13);

    assertThatThrownBy(() -> RequestDecoder.decode(Signal.TRACES, bytes, 0, NOW))
        .isInstanceOf(BadRequestException.class)
        .hasMessage("byte 33: groups in groups: 33 (expected: at most 32)");
  }

  @Test
  void listsInListsAreBounded() throws BadRequestException {
    Object value = "x";
    for (int i = 0; i < 32; i++) {
      value = List.of(value);
    }
    Object deepest = value;
    assertThat(
            Otlp.texts(
                    Otlp.decodeOne(resource(), span().addAttributes(attribute("k", deepest)))
                        .attributes())
                .get("k"))
        .startsWith("[[[[")
        .endsWith("]]]]");

    assertThatThrownBy(
            () ->
                Otlp.decode(
                    resource(), span().addAttributes(attribute("k", List.of(deepest))).build()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("value in 33 values (expected: at most 32)");
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void cutAnywhereItIsRefusedOrStillUsable(Signal signal) {
    for (long seed = 0; seed < 5; seed++) {
      byte[] bytes = request(signal, seed);
      int step = Math.max(1, bytes.length / 300);
      for (int length = 0; length < bytes.length; length += step) {
        decodeAndUse(signal, Arrays.copyOf(bytes, length));
      }
    }
  }

  @Test
  void cutAnywhereATraceIsRefused() {
    byte[] bytes =
        Otlp.traces(resource(), span().addAttributes(attribute("a", 1)).build()).toByteArray();
    for (int length = 1; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> RequestDecoder.decode(Signal.TRACES, cut, 0, NOW))
          .isInstanceOf(BadRequestException.class)
          .hasMessageMatching("byte \\d+: .* \\(expected: .*\\)");
    }
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void withAnyBitFlippedItIsRefusedOrStillUsable(Signal signal) {
    for (long seed = 0; seed < 3; seed++) {
      byte[] bytes = request(signal, seed);
      int step = Math.max(1, bytes.length * 8 / 1_500);
      for (int bit = 0; bit < bytes.length * 8; bit += step) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        decodeAndUse(signal, flipped);
      }
    }
  }

  private static byte[] request(Signal signal, long seed) {
    Message message = new RandomMessages(seed).request(signal);
    return message.toByteArray();
  }

  /** True if it was a request. */
  static boolean decodeAndUse(Signal signal, byte[] bytes) {
    try {
      Request request = RequestDecoder.decode(signal, bytes, 0, NOW);
      for (SpanRecord span : request.spans()) {
        Otlp.visited(span.attributes());
        Otlp.visited(span.origin().attributes());
      }
      request.points().forEach(point -> Otlp.visited(point.attributes()));
      Request again =
          RequestDecoder.decode(Signal.TRACES, RequestWriter.traces(request.spans()), 0, NOW);
      assertThat(again.spans()).containsExactlyInAnyOrderElementsOf(request.spans());
      return true;
    } catch (BadRequestException e) {
      assertThat(e.getMessage()).contains("(expected: ");
      return false;
    }
  }
}
