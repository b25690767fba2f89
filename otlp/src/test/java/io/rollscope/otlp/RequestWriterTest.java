package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.visited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Written and read again, records are what they were. */
class RequestWriterTest {

  @Property(tries = 300)
  void spansSurvive(@ForAll long seed) throws BadRequestException {
    RandomMessages messages = new RandomMessages(seed);
    List<SpanRecord> spans = new ArrayList<>();
    spans.addAll(decode(Signal.TRACES, messages).spans());
    spans.addAll(decode(Signal.LOGS, messages).spans());

    Request again = RequestDecoder.decode(Signal.TRACES, RequestWriter.traces(spans), 0, NOW);

    assertThat(again.rejected()).isEmpty();
    assertThat(again.repaired()).isZero();
    assertThat(again.spans()).containsExactlyInAnyOrderElementsOf(spans);
  }

  @Property(tries = 300)
  void verdictsAndSignsSurvive(@ForAll long seed) throws BadRequestException {
    RandomMessages messages = new RandomMessages(seed);
    List<Verdict> verdicts = new ArrayList<>();
    List<Sign> signs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Request request = decode(Signal.LOGS, messages);
      verdicts.addAll(request.verdicts());
      signs.addAll(request.signs());
    }

    Request again = RequestDecoder.decode(Signal.LOGS, RequestWriter.logs(verdicts, signs), 0, NOW);

    assertThat(again.rejected()).isEmpty();
    assertThat(together(again.verdicts())).containsExactlyInAnyOrderElementsOf(together(verdicts));
    assertThat(again.signs()).containsExactlyInAnyOrderElementsOf(signs);
  }

  /** A decision and what got known later are written as a record for each time. */
  private static List<Verdict> together(List<Verdict> verdicts) {
    return List.copyOf(
        verdicts.stream()
            .collect(Collectors.toMap(Verdict::spanId, v -> v, Verdict::and))
            .values());
  }

  @Test
  void nothingIsAnEmptyRequest() {
    assertThat(RequestWriter.traces(List.of())).isEmpty();
    assertThat(RequestWriter.logs(List.of(), List.of())).isEmpty();
  }

  @Test
  void aRequestIsMadeFromScratch() throws BadRequestException, InvalidProtocolBufferException {
    byte[] bytes =
        new TraceRequestBuilder()
            .resource()
            .attribute("rollscope.run.default", "exp/trial")
            .span(1, 2, 3, 0, "rollout", NOW - 5, Nanos.OPEN)
            .attribute("text", "x")
            .attribute("long", 7)
            .attribute("double", 0.5)
            .attribute("flag", true)
            .attribute("absent", (String) null)
            .span(1, 2, 4, 3, "generate", NOW - 5, NOW - 1)
            .failed("TimeoutError", "too slow", NOW - 1)
            .resource()
            .attribute("rollscope.run.default", "other")
            .span(5, 6, 7, 0, "x".repeat(300), NOW - 5, NOW - 1)
            .build();

    Request request = RequestDecoder.decode(Signal.TRACES, bytes, 0, NOW);

    assertThat(request.rejected()).isEmpty();
    SpanRecord open = request.spans().get(0);
    assertThat(open.isOpen()).isTrue();
    assertThat(open.origin().runFallback()).isEqualTo("exp/trial");
    assertThat(visited(open.attributes()))
        .containsExactly("text=x", "long=7", "double=0.5", "flag=true");
    SpanRecord failed = request.spans().get(1);
    assertThat(failed.traceHigh()).isEqualTo(1);
    assertThat(failed.traceLow()).isEqualTo(2);
    assertThat(failed.spanId()).isEqualTo(4);
    assertThat(failed.parentId()).isEqualTo(3);
    assertThat(failed.outcome()).isEqualTo(Outcome.ERROR);
    assertThat(failed.errorType()).isEqualTo("TimeoutError");
    assertThat(failed.errorMessage()).isEqualTo("too slow");
    assertThat(request.spans().get(2).origin().runFallback()).isEqualTo("other");
    assertThat(
            ExportTraceServiceRequest.parseFrom(bytes)
                .getResourceSpans(0)
                .getScopeSpans(0)
                .getSpans(1)
                .getStatus()
                .getCode())
        .isEqualTo(StatusCode.STATUS_CODE_ERROR);
  }

  @Test
  void attributesNeedSomethingToBelongTo() {
    assertThatThrownBy(() -> new TraceRequestBuilder().attribute("a", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expected: one to add attributes to");
  }

  private static Request decode(Signal signal, RandomMessages messages) throws BadRequestException {
    return RequestDecoder.decode(signal, messages.request(signal).toByteArray(), 0, NOW);
  }
}
