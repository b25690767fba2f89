package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.otlp.wire.ProtoWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody sends a request of nothing but empty elements, which cost time and no bytes. */
class ElementLimitsTest {
  private static final int RESOURCES = 1;
  private static final int SCOPES = 2;
  private static final int ITEMS = 2;
  private static final int GAUGE = 5;
  private static final int POINTS = 1;

  private static byte[] times(int field, int count) {
    ProtoWriter out = new ProtoWriter(2 * count);
    for (int i = 0; i < count; i++) {
      out.bytes(field, new byte[0], 0, 0);
    }
    return out.toBytes();
  }

  private static byte[] in(byte[] inner, int... fields) {
    byte[] message = inner;
    for (int field : fields) {
      ProtoWriter out = new ProtoWriter(message.length + 6);
      out.bytes(field, message, 0, message.length);
      message = out.toBytes();
    }
    return message;
  }

  private static void assertTooMany(Signal signal, byte[] request, String what) {
    assertThatThrownBy(() -> ElementLimits.check(signal, request, 0))
        .isInstanceOf(TooManyElementsException.class)
        .hasMessageStartingWith("request: too many " + what + " (expected: at most ");
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void emptyElementsOfEveryKindAreCounted(Signal signal) {
    assertTooMany(signal, times(RESOURCES, ElementLimits.MAX_RESOURCES + 1), "resources");
    assertTooMany(signal, in(times(SCOPES, ElementLimits.MAX_SCOPES + 1), RESOURCES), "scopes");
    assertTooMany(
        signal, in(times(ITEMS, ElementLimits.MAX_ITEMS + 1), SCOPES, RESOURCES), "items");
  }

  @Test
  void pointsAreItems() {
    byte[] points = times(POINTS, ElementLimits.MAX_ITEMS);

    assertTooMany(Signal.METRICS, in(points, GAUGE, ITEMS, SCOPES, RESOURCES), "items");
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void asManyAsAllowedPass(Signal signal) {
    assertThatCode(
            () -> {
              ElementLimits.check(signal, times(RESOURCES, ElementLimits.MAX_RESOURCES), 0);
              ElementLimits.check(signal, in(times(SCOPES, 100_000), RESOURCES), 0);
            })
        .doesNotThrowAnyException();
  }

  /** It is not read to its end: what is behind is not even looked at. */
  @Test
  void readingStopsWhereItIsTooMuch() {
    byte[] request = times(RESOURCES, ElementLimits.MAX_RESOURCES + 2);
    request[request.length - 1] = 127;

    assertTooMany(Signal.TRACES, request, "resources");
  }

  @Test
  void brokenOutlinesAreBadRequests() {
    assertThatThrownBy(() -> ElementLimits.check(Signal.LOGS, new byte[] {0x0a, 5}, 0))
        .isInstanceOf(BadRequestException.class)
        .isNotInstanceOf(TooManyElementsException.class);
  }

  @Test
  void emptyObjectsOfJsonAreCountedWhileItIsRead() {
    String json = "{\"resourceSpans\":[" + "{},".repeat(400_000) + "no JSON any more";

    assertThatThrownBy(() -> JsonRequests.toProtobuf(Signal.TRACES, json.getBytes(UTF_8)))
        .isInstanceOf(TooManyElementsException.class)
        .hasMessageContaining("too many objects (expected: at most 300000");
  }

  @Test
  void emptyAttributesOfJsonAreCountedToo() {
    String json =
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[" + "{},".repeat(4_000_000) + "no JSON";

    assertThatThrownBy(() -> JsonRequests.toProtobuf(Signal.TRACES, json.getBytes(UTF_8)))
        .isInstanceOf(TooManyElementsException.class);
  }

  @Test
  void aGatewaysRequestOfThousandsOfProcessesPasses() throws BadRequestException {
    String json =
        "{\"resourceSpans\":["
            + "{\"resource\":{},\"scopeSpans\":[{\"spans\":[{\"name\":\"a\"}]}]},".repeat(20_000)
            + "{}]}";

    byte[] protobuf = JsonRequests.toProtobuf(Signal.TRACES, json.getBytes(UTF_8));

    ElementLimits.check(Signal.TRACES, protobuf, 0);
    assertThat(RequestDecoder.decode(Signal.TRACES, protobuf, 0, 1).rejectedCount())
        .isEqualTo(20_000);
  }
}
