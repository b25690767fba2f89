package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests in JSON, beginning with the specification's own examples. */
class JsonRequestsTest {

  @Test
  void theTraceOfTheSpecificationIsRead() throws Exception {
    SpanRecord span = decode(Signal.TRACES, example("trace.json")).spans().get(0);

    assertThat(span.traceHigh()).isEqualTo(0x5B8EFFF798038103L);
    assertThat(span.traceLow()).isEqualTo(0xD269B633813FC60CL);
    assertThat(span.spanId()).isEqualTo(0xEEE19B7EC3C1B174L);
    assertThat(span.parentId()).isEqualTo(0xEEE19B7EC3C1B173L);
    assertThat(span.name()).isEqualTo("I'm a server span");
    assertThat(span.startNs()).isEqualTo(1544712660000000000L);
    assertThat(span.endNs()).isEqualTo(1544712661000000000L);
    assertThat(texts(span.attributes())).containsExactly(entry("my.span.attr", "some value"));
    assertThat(span.origin().service()).isEqualTo("my.service");
  }

  @Test
  void theLogsAndEventsOfTheSpecificationAreReadButAreNoneOfOurs() throws Exception {
    for (String name : new String[] {"logs.json", "events.json"}) {
      Request request = decode(Signal.LOGS, example(name));

      assertThat(request.acceptedCount()).isZero();
      assertThat(request.rejected())
          .containsExactly(entry("log record: not a start, beat or verdict record", 1L));
    }
  }

  @Test
  void theMetricsOfTheSpecificationAreRead() throws Exception {
    Request request = decode(Signal.METRICS, example("metrics.json"));

    assertThat(request.rejected()).isEmpty();
    assertThat(request.points())
        .extracting(MetricPoint::name, MetricPoint::kind, MetricPoint::temporality)
        .containsExactly(
            tuple("my.counter", "sum", "delta"),
            tuple("my.gauge", "gauge", null),
            tuple("my.histogram", "histogram", "delta"),
            tuple("my.exponential.histogram", "exponential_histogram", "delta"));
    assertThat(request.points().get(0).value()).isEqualTo(5);
    assertThat(request.points().get(0).monotonic()).isTrue();
    assertThat(request.points().get(2).counts()).containsExactly(1, 1);
    assertThat(request.points().get(2).bounds()).containsExactly(1);
    MetricPoint exponential = request.points().get(3);
    assertThat(exponential.counts()).containsExactly(0, 2);
    assertThat(exponential.exponential().offset()).isEqualTo(1);
    assertThat(exponential.exponential().zeroCount()).isEqualTo(1);
    assertThat(exponential.count()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1544712660000000000",
        "\"1544712660000000000\"",
        "1544712660000000000.0",
        "1.54471266e18"
      })
  void sixtyFourBitsComeAsNumberOrText(String time) throws Exception {
    assertThat(span("\"startTimeUnixNano\":" + time).getStartTimeUnixNano())
        .isEqualTo(1544712660000000000L);
  }

  @Test
  void unsignedNumbersUseAllBits() throws Exception {
    assertThat(span("\"startTimeUnixNano\":18446744073709551615").getStartTimeUnixNano())
        .isEqualTo(-1);
    assertThat(span("\"startTimeUnixNano\":\"18446744073709551615\"").getStartTimeUnixNano())
        .isEqualTo(-1);
  }

  @Test
  void enumsComeAsNumberOrName() throws Exception {
    assertThat(span("\"status\":{\"code\":2}").getStatus().getCode())
        .isEqualTo(StatusCode.STATUS_CODE_ERROR);
    assertThat(span("\"status\":{\"code\":\"STATUS_CODE_ERROR\"}").getStatus().getCode())
        .isEqualTo(StatusCode.STATUS_CODE_ERROR);
    assertThat(span("\"kind\":99").getKindValue()).isEqualTo(99);
  }

  @Test
  void idsAreHexOfEitherCase() throws Exception {
    assertThat(span("\"traceId\":\"5b8eFFF798038103d269b633813fc60c\"").getTraceId())
        .isEqualTo(Otlp.id(Otlp.TRACE));
  }

  /**
   * Protobuf libraries can be told to keep the names of the .proto files, which OTLP/JSON forbids.
   */
  @Test
  void namesInSnakeCaseAreUnknownOnTheWireAndKnownInFiles() throws Exception {
    byte[] json =
        "{\"resource_spans\":[{\"scope_spans\":[{\"spans\":[{\"trace_id\":\"00ff\"}]}]}]}"
            .getBytes(UTF_8);
    assertThat(JsonRequests.toProtobuf(Signal.TRACES, json)).isEmpty();
    ExportTraceServiceRequest line =
        ExportTraceServiceRequest.parseFrom(JsonRequests.lineToProtobuf(Signal.TRACES, json));
    assertThat(line.getResourceSpans(0).getScopeSpans(0).getSpans(0).getTraceId().toByteArray())
        .containsExactly(0, 0xff);
  }

  /** Base64, as protobuf's own JSON has it, is the mistake people make. */
  @ParameterizedTest
  @ValueSource(strings = {"W47/95gDgQPSabYzgT/GDA==", "5b8efff798038103", "xyz", "5b8efff7980381"})
  void aWrongIdRefusesItsSpanOnly(String wrong) throws Exception {
    String good =
        "{\"traceId\":\"5b8efff798038103d269b633813fc60c\",\"spanId\":\"eee19b7ec3c1b174\","
            + "\"name\":\"a\",\"startTimeUnixNano\":1,\"endTimeUnixNano\":2}";
    String bad = good.replace("5b8efff798038103d269b633813fc60c", wrong);

    Request request = decode(Signal.TRACES, request(good + "," + bad).getBytes(UTF_8));

    assertThat(request.spans()).hasSize(1);
    assertThat(request.rejected())
        .containsExactly(entry("trace id: wrong (expected: 16 bytes, not all zero)", 1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"doubleValue\":\"NaN\"} | NaN",
        "{\"doubleValue\":\"-Infinity\"} | -Infinity",
        "{\"doubleValue\":\"0.25\"} | 0.25",
        "{\"doubleValue\":3} | 3.0",
        "{\"intValue\":\"-7\"} | -7",
        "{\"boolValue\":true} | true",
        "{\"bytesValue\":\"AQID/w==\"} | AQID/w==",
        "{\"bytesValue\":\"AQID_w\"} | AQID/w==",
        "{\"stringValue\":\"x\"} | x",
        "{\"arrayValue\":{\"values\":[{\"intValue\":1},{}]}} | [1,null]",
        "{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":{\"intValue\":1}}]}} | {\"k\":1}",
      })
  void everyKindOfValueIsRead(String json, String text) throws Exception {
    String span =
        "{\"traceId\":\"5b8efff798038103d269b633813fc60c\",\"spanId\":\"eee19b7ec3c1b174\","
            + "\"name\":\"a\",\"startTimeUnixNano\":1,\"attributes\":[{\"key\":\"k\",\"value\":"
            + json
            + "}]}";

    Request request = decode(Signal.TRACES, request(span).getBytes(UTF_8));

    assertThat(texts(request.spans().get(0).attributes())).containsExactly(entry("k", text));
  }

  @Test
  void nanOfAPythonSenderIsRead() throws Exception {
    String json =
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"loss\",\"gauge\":"
            + "{\"dataPoints\":[{\"timeUnixNano\":1,\"asDouble\":NaN}]}}]}]}]}";

    byte[] protobuf = JsonRequests.toProtobuf(Signal.METRICS, json.getBytes(UTF_8));

    NumberDataPoint point =
        ExportMetricsServiceRequest.parseFrom(protobuf)
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getGauge()
            .getDataPoints(0);
    assertThat(point.getAsDouble()).isNaN();
  }

  @Test
  void unknownFieldsAreIgnoredWhateverTheyContain() throws Exception {
    String deep = "[".repeat(500) + "]".repeat(500);

    Span span = span("\"new\":{\"a\":[1,{\"b\":null}]},\"deep\":" + deep + ",\"name\":\"kept\"");

    assertThat(span.getName()).isEqualTo("kept");
  }

  @Test
  void nullsSayNothing() throws Exception {
    Span span =
        span("\"name\":null,\"attributes\":null,\"status\":null,\"events\":[null],\"kind\":null");

    assertThat(span).isEqualTo(Span.getDefaultInstance());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[] | line 1, column 1: request: [] (expected: an object)",
        "{\"resourceSpans\":{}} | column 18: resourceSpans: {}} (expected: a list)",
        "{\"resourceSpans\":[7]} | column 19: resourceSpans: 7 (expected: an object)",
        "{} {} | column 4: after the request: {} (expected: nothing more)",
        "{\"resourceSpans\":[ | line 1, column 19: ends too early (expected: JSON)",
        "{\"resourceSpans\":[{\"schemaUrl\":5}]} | schemaUrl: 5 (expected: text)",
      })
  void whatIsNoRequestIsRefusedWithItsPlace(String json, String message) {
    assertThatThrownBy(() -> JsonRequests.toProtobuf(Signal.TRACES, json.getBytes(UTF_8)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("(expected: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"startTimeUnixNano\":\"soon\"",
        "\"startTimeUnixNano\":1.5",
        "\"startTimeUnixNano\":36893488147419103232",
        "\"startTimeUnixNano\":1e400",
        "\"startTimeUnixNano\":{}",
        "\"kind\":\"SPAN_KIND_OF_MINE\"",
        "\"name\":[]",
        "\"attributes\":[{\"key\":\"k\",\"value\":{\"bytesValue\":\"***\"}}]",
        "\"attributes\":[{\"key\":\"k\",\"value\":{\"boolValue\":3}}]",
        "\"attributes\":[{\"key\":\"k\",\"value\":{\"doubleValue\":\"many\"}}]",
      })
  void wrongValuesAreRefusedWithTheirPlace(String fields) {
    assertThatThrownBy(() -> span(fields))
        .isInstanceOf(BadRequestException.class)
        .hasMessageMatching("line 1, column \\d+: .*\\(expected: .*\\)");
  }

  @Test
  void nothingIsNoRequest() {
    assertThatThrownBy(() -> JsonRequests.toProtobuf(Signal.LOGS, new byte[0]))
        .isInstanceOf(BadRequestException.class)
        .hasMessage("line 1, column 1: request: nothing (expected: an object)");
  }

  @Test
  void depthIsBounded() {
    String open = "{\"arrayValue\":{\"values\":[";
    String value = open.repeat(20_000) + "]}}".repeat(20_000);

    assertThatThrownBy(() -> span("\"attributes\":[{\"key\":\"k\",\"value\":" + value + "}]"))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void thirtyTwoListsInListsAreReadTheSameWayAsInProtobuf() throws Exception {
    assertThat(nested(32).spans()).hasSize(1);
    assertThatThrownBy(() -> nested(33))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("value in 33 values (expected: at most 32)");
  }

  private static Request nested(int depth) throws BadRequestException {
    String json = "{\"stringValue\":\"x\"}";
    for (int i = 0; i < depth; i++) {
      json = "{\"kvlistValue\":{\"values\":[{\"key\":\"k\",\"value\":" + json + "}]}}";
    }
    String span =
        "{\"traceId\":\"5b8efff798038103d269b633813fc60c\",\"spanId\":\"eee19b7ec3c1b174\","
            + "\"name\":\"a\",\"startTimeUnixNano\":1,\"attributes\":[{\"key\":\"k\",\"value\":"
            + json
            + "}]}";
    return decode(Signal.TRACES, request(span).getBytes(UTF_8));
  }

  private static Span span(String fields)
      throws BadRequestException, InvalidProtocolBufferException {
    byte[] protobuf =
        JsonRequests.toProtobuf(Signal.TRACES, request("{" + fields + "}").getBytes(UTF_8));
    return ExportTraceServiceRequest.parseFrom(protobuf)
        .getResourceSpans(0)
        .getScopeSpans(0)
        .getSpans(0);
  }

  private static String request(String spans) {
    return "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[" + spans + "]}]}]}";
  }

  private static Request decode(Signal signal, byte[] json) throws BadRequestException {
    return RequestDecoder.decode(signal, JsonRequests.toProtobuf(signal, json), 0, Otlp.NOW);
  }

  private static byte[] example(String name) throws IOException {
    try (InputStream in = JsonRequestsTest.class.getResourceAsStream("/otlp-examples/" + name)) {
      return in.readAllBytes();
    }
  }
}
