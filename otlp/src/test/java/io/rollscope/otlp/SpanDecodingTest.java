package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.decode;
import static io.rollscope.otlp.Otlp.decodeOne;
import static io.rollscope.otlp.Otlp.id;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.span;
import static io.rollscope.otlp.Otlp.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Reduction;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpanDecodingTest {
  private static final long DAY = 86_400_000_000_000L;

  @Test
  void aSpanKeepsItsIdsItsTimesAndItsName() throws BadRequestException {
    SpanRecord s = decodeOne(resource(), span());

    assertThat(s.traceHigh()).isEqualTo(0x5b8efff798038103L);
    assertThat(s.traceLow()).isEqualTo(0xd269b633813fc60cL);
    assertThat(s.spanId()).isEqualTo(0xeee19b7ec3c1b174L);
    assertThat(s.parentId()).isEqualTo(0xeee19b7ec3c1b173L);
    assertThat(s.name()).isEqualTo("generate");
    assertThat(s.kind()).isEqualTo(Kind.PHASE);
    assertThat(s.startNs()).isEqualTo(NOW - 2_000_000_000L);
    assertThat(s.endNs()).isEqualTo(NOW - 1_000_000_000L);
    assertThat(s.outcome()).isEqualTo(Outcome.OK);
    assertThat(s.errorType()).isNull();
    assertThat(s.errorMessage()).isNull();
    assertThat(s.attributes().isEmpty()).isTrue();
  }

  @Test
  void aSpanWithoutAnEndIsOpen() throws BadRequestException {
    SpanRecord s = decodeOne(resource(), span().setEndTimeUnixNano(0));

    assertThat(s.isOpen()).isTrue();
    assertThat(s.endNs()).isEqualTo(Nanos.OPEN);
    assertThat(s.outcome()).isEqualTo(Outcome.OPEN);
  }

  @Test
  void aSpanThatEndsBeforeItBeginsIsKeptWithoutLengthAndCounted() throws BadRequestException {
    Request request = decode(resource(), span().setEndTimeUnixNano(NOW - 3_000_000_000L).build());

    assertThat(request.repaired()).isEqualTo(1);
    assertThat(request.spans().get(0).endNs()).isEqualTo(NOW - 2_000_000_000L);
    assertThat(request.spans().get(0).startNs()).isEqualTo(NOW - 2_000_000_000L);
  }

  /** Some SDKs write eight zeros for the parent of a root. */
  @ParameterizedTest
  @ValueSource(strings = {"", "0000000000000000"})
  void aRootHasNoParent(String parent) throws BadRequestException {
    assertThat(decodeOne(resource(), span().setParentSpanId(id(parent))).parentId()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00000000000000000000000000000000", "5b8efff798038103", "5b8e"})
  void aWrongTraceIdIsRefused(String hex) throws BadRequestException {
    requireRefused(
        span().setTraceId(id(hex)), "trace id: wrong (expected: 16 bytes, not all zero)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0000000000000000", "5b8efff7980381", "5b8efff798038103d2"})
  void aWrongSpanIdIsRefused(String hex) throws BadRequestException {
    requireRefused(span().setSpanId(id(hex)), "span id: wrong (expected: 8 bytes, not all zero)");
  }

  @Test
  void aParentIdOfWrongLengthIsRefused() throws BadRequestException {
    requireRefused(
        span().setParentSpanId(id("5b8efff7980381")),
        "parent span id: wrong (expected: 8 bytes, or none)");
  }

  /** OpenTelemetry's specification: an empty value is equivalent to an unknown span name. */
  @Test
  void aSpanWithoutNameIsUnknown() throws BadRequestException {
    assertThat(decodeOne(resource(), span().setName("")).name()).isEqualTo("unknown");
  }

  @Test
  void aSpanWithoutStartIsRefused() throws BadRequestException {
    requireRefused(span().setStartTimeUnixNano(0), "time: 0 (expected: nanoseconds since 1970)");
  }

  @Test
  void aTimeMoreThanADayAheadIsRefused() throws BadRequestException {
    String reason = "time: in the future (expected: at most a day ahead of the collector's clock)";
    requireRefused(span().setEndTimeUnixNano(NOW + DAY + 1), reason);
    requireRefused(span().setStartTimeUnixNano(NOW + DAY + 1), reason);
    requireRefused(span().setEndTimeUnixNano(-1), reason);
    assertThat(decodeOne(resource(), span().setEndTimeUnixNano(NOW + DAY)).endNs())
        .isEqualTo(NOW + DAY);
  }

  @Test
  void aTimeBeyondWhatCanBeSubtractedIsRefusedWhateverTheClock() throws BadRequestException {
    byte[] bytes =
        Otlp.traces(resource(), span().setEndTimeUnixNano(Nanos.LIMIT + 1).build()).toByteArray();

    assertThat(RequestDecoder.decode(Signal.TRACES, bytes, 0, Long.MAX_VALUE).rejectedCount())
        .isEqualTo(1);
  }

  /** A prompt as the name of a span. */
  @Test
  void aNameLongerThanAThousandBytesIsCutAndCounted() throws BadRequestException {
    Request request = decode(resource(), span().setName("ä".repeat(600)).build());

    assertThat(request.spans().get(0).name()).isEqualTo("ä".repeat(512));
    assertThat(request.reduction()).isEqualTo(new Reduction(0, 1));
    assertThat(request.rejected()).isEmpty();
    Request odd = decode(resource(), span().setName("xä" + "ä".repeat(600)).build());
    assertThat(odd.spans().get(0).name()).isEqualTo("x" + "ä".repeat(511));
    Request fits = decode(resource(), span().setName("x".repeat(1024)).build());
    assertThat(fits.spans().get(0).name()).hasSize(1024);
    assertThat(fits.reduction().isNone()).isTrue();
  }

  /** A prompt as the id of a session: two that begin alike stay two. */
  @Test
  void anIdLongerThanAThousandBytesIsCutButStaysAnother() throws BadRequestException {
    String prompt = "x".repeat(1024);
    SpanRecord one = withSession(prompt + "1");
    SpanRecord other = withSession(prompt + "2");
    Request run = decode(resource(attribute("rl.run.id", prompt + "r")), span().build());

    assertThat(one.said().session()).hasSize(1024).startsWith("x".repeat(1007) + "#");
    assertThat(one.said().session()).isEqualTo(withSession(prompt + "1").said().session());
    assertThat(one.said().session()).isNotEqualTo(other.said().session());
    assertThat(withSession(prompt).said().session()).isEqualTo(prompt);
    assertThat(run.spans().get(0).said().run()).hasSize(1024).contains("#");
    assertThat(run.reduction()).isEqualTo(new Reduction(0, 1));
  }

  @Test
  void anIdMadeOfSeveralIsCutAsAWhole() throws BadRequestException {
    String part = "é".repeat(400);
    Span.Builder span =
        span()
            .addAttributes(attribute("project", part))
            .addAttributes(attribute("experiment_name", part))
            .addAttributes(attribute("sample", part))
            .addAttributes(attribute("session", "0"))
            .addAttributes(attribute("traj", part));
    Said said = decode(resource(), span.build()).spans().get(0).said();
    Span.Builder again =
        span()
            .addAttributes(attribute("rl.run.id", said.run()))
            .addAttributes(attribute("rl.session.id", said.session()));

    assertThat(said.run()).matches("é+/é+#[0-9a-f]{16}");
    assertThat(said.session()).matches("é+/0/é+#[0-9a-f]{16}");
    assertThat(decode(resource(), again.build()).spans().get(0).said().run()).isEqualTo(said.run());
    assertThat(decode(resource(), again.build()).spans().get(0).said().session())
        .isEqualTo(said.session());
  }

  private static SpanRecord withSession(String id) throws BadRequestException {
    return decodeOne(resource(), span().addAttributes(attribute("rl.session.id", id)));
  }

  /** Every name of it, as a number or a text; what is no such number says nothing. */
  @Test
  void aSpanSaysWhatItEarnedAndUsed() throws BadRequestException {
    assertThat(got(attribute("rl.reward", 0.7), attribute("gen_ai.usage.input_tokens", 412)))
        .isEqualTo(new RewardAndTokens(0.7, 412L, null));
    assertThat(got(attribute("rl.reward.score", "-1e-3"), attribute("completion_tokens", "88")))
        .isEqualTo(new RewardAndTokens(-0.001, null, 88L));
    assertThat(got(attribute("gen_ai.usage.completion_tokens", 3.0), attribute("prompt_tokens", 4)))
        .isEqualTo(new RewardAndTokens(null, 4L, 3L));
    assertThat(got(attribute("rl.reward", "0x1p3"), attribute("prompt_tokens", -1)))
        .isEqualTo(RewardAndTokens.NONE);
    assertThat(got(attribute("rl.reward", Double.NaN), attribute("prompt_tokens", 1.5)))
        .isEqualTo(RewardAndTokens.NONE);
    assertThat(got(attribute("rl.reward", "9".repeat(10_000)), attribute("prompt_tokens", "")))
        .isEqualTo(RewardAndTokens.NONE);
  }

  private static RewardAndTokens got(KeyValue one, KeyValue other) throws BadRequestException {
    return decodeOne(resource(), span().addAttributes(one).addAttributes(other)).rewardAndTokens();
  }

  @Test
  void oneWrongSpanDoesNotHarmTheOthers() throws BadRequestException {
    Span wrong = span().setSpanId(id("00")).build();

    Request request = decode(resource(), span().build(), wrong, wrong, span().build());

    assertThat(request.spans()).hasSize(2);
    assertThat(request.rejectedCount()).isEqualTo(2);
    assertThat(request.acceptedCount()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "ValueError, bad, ERROR",
    "asyncio.exceptions.CancelledError, , CANCELLED",
    ", task: CancelledError(), CANCELLED",
    ", Cancelled, CANCELLED",
    "java.util.concurrent.CancellationException, , CANCELLED",
    "GeneratorExit, , CANCELLED",
    ", , ERROR",
    ", the other was cancelled first, ERROR",
  })
  void whatTheErrorSaysTellsCancelledFromFailed(String type, String message, Outcome outcome)
      throws BadRequestException {
    Span.Builder span = span().setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR));
    if (type != null) {
      span.addAttributes(attribute("error.type", type));
    }
    if (message != null) {
      span.setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR).setMessage(message));
    }

    SpanRecord s = decodeOne(resource(), span);

    assertThat(s.outcome()).isEqualTo(outcome);
    assertThat(s.errorType()).isEqualTo(type);
    assertThat(s.errorMessage()).isEqualTo(message);
  }

  @Test
  void aFailedSpanOfACancelledSessionWasCancelled() throws BadRequestException {
    SpanRecord s =
        decodeOne(
            resource(),
            span()
                .setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR))
                .addAttributes(attribute("rl.status", "cancelled")));

    assertThat(s.outcome()).isEqualTo(Outcome.CANCELLED);
  }

  /** What OpenTelemetry SDKs do when an exception leaves the block of a span. */
  @Test
  void theExceptionEventNamesTheError() throws BadRequestException {
    SpanRecord s =
        decodeOne(
            resource(),
            span()
                .setStatus(
                    Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR).setMessage("status"))
                .addEvents(
                    Span.Event.newBuilder()
                        .setName("exception")
                        .addAttributes(attribute("exception.type", "TimeoutError"))
                        .addAttributes(attribute("exception.message", "judge did not answer")))
                .addEvents(
                    Span.Event.newBuilder()
                        .setName("retry")
                        .addAttributes(attribute("exception.type", "NotThis"))));

    assertThat(s.errorType()).isEqualTo("TimeoutError");
    assertThat(s.errorMessage()).isEqualTo("judge did not answer");
  }

  @Test
  void theResourceMayStandBehindItsSpans() throws BadRequestException, IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ResourceSpans spans =
        ResourceSpans.newBuilder().addScopeSpans(ScopeSpans.newBuilder().addSpans(span())).build();
    ResourceSpans resource =
        ResourceSpans.newBuilder().setResource(resource(attribute("rl.run.id", "r7"))).build();
    bytes.write(spans.toByteArray());
    bytes.write(resource.toByteArray());
    byte[] request =
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(ResourceSpans.parseFrom(bytes.toByteArray()))
            .build()
            .toByteArray();

    assertThat(RequestDecoder.decode(Signal.TRACES, request, 0, NOW).spans().get(0).said().run())
        .isEqualTo("r7");
  }

  @Test
  void theResourceIsTheOriginOfAllItsSpans() throws BadRequestException {
    Resource resource =
        resource(
            attribute("service.name", "rollout"),
            attribute("service.instance.id", "8b0c"),
            attribute("host.name", "node-3"),
            attribute("process.pid", 4711),
            attribute("rl.project", "math"),
            attribute("rl.system", "verl"),
            attribute("rl.worker.role", "actor"),
            attribute("rl.worker.rank", "12"));

    Request request = decode(resource, span().build(), span().build());

    Origin origin = request.spans().get(0).origin();
    assertThat(request.spans().get(1).origin()).isSameAs(origin);
    assertThat(origin.service()).isEqualTo("rollout");
    assertThat(origin.instance()).isEqualTo("8b0c");
    assertThat(origin.host()).isEqualTo("node-3");
    assertThat(origin.pid()).isEqualTo(4711);
    assertThat(origin.project()).isEqualTo("math");
    assertThat(origin.system()).isEqualTo("verl");
    assertThat(origin.workerRole()).isEqualTo("actor");
    assertThat(origin.workerRank()).isEqualTo(12);
    assertThat(origin.runFallback()).isEqualTo("rollout");
    assertThat(origin.clock()).isEqualTo("utc");
    assertThat(origin.source()).isEqualTo("otlp");
    assertThat(texts(origin.attributes())).hasSize(8).containsEntry("process.pid", "4711");
  }

  @Test
  void aTailedFolderSaysWhatItsOriginIs() throws BadRequestException {
    Resource resource =
        resource(
            attribute("service.name", "unknown_service"),
            attribute("rollscope.run.default", "exp/trial"),
            attribute("rollscope.source", "xtuner"),
            attribute("rollscope.clock", "relative:node-3"));

    Origin origin = decodeOne(resource, span()).origin();

    assertThat(origin.runFallback()).isEqualTo("exp/trial");
    assertThat(origin.source()).isEqualTo("xtuner");
    assertThat(origin.clock()).isEqualTo("relative:node-3");
  }

  @Test
  void nobodyKnowsWhereASpanWithoutResourceIsFrom() throws BadRequestException {
    Origin origin = decodeOne(Resource.getDefaultInstance(), span()).origin();

    assertThat(origin)
        .isEqualTo(
            new Origin(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "unknown",
                "utc",
                "otlp",
                false,
                Attributes.NONE));
  }

  @Test
  void aRequestMayBeginSomewhereInItsBytes() throws BadRequestException {
    byte[] message = Otlp.traces(resource(), span().build()).toByteArray();
    byte[] shifted = new byte[message.length + 9];
    System.arraycopy(message, 0, shifted, 9, message.length);

    assertThat(RequestDecoder.decode(Signal.TRACES, shifted, 9, NOW).spans())
        .isEqualTo(RequestDecoder.decode(Signal.TRACES, message, 0, NOW).spans());
  }

  private static void requireRefused(Span.Builder span, String reason) throws BadRequestException {
    Request request = decode(resource(), span.build());

    assertThat(request.rejected()).containsExactly(entry(reason, 1L));
    assertThat(request.spans()).isEmpty();
  }
}
