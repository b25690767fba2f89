package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.PARENT;
import static io.rollscope.otlp.Otlp.SPAN;
import static io.rollscope.otlp.Otlp.TRACE;
import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.id;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.visited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.resource.v1.Resource;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.StackRecord;
import io.rollscope.otlp.record.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log records that tell of starts, verdicts and processes (contracts.md 3.4 to 3.6, 3.20). */
class LogDecodingTest {
  private static final Resource PROCESS =
      resource(attribute("service.instance.id", "8b0c"), attribute("rl.run.id", "r1"));

  @Test
  void aStartRecordIsAnOpenSpan() throws BadRequestException {
    SpanRecord span = decode(PROCESS, start()).spans().get(0);

    assertThat(span.traceHigh()).isEqualTo(0x5b8efff798038103L);
    assertThat(span.traceLow()).isEqualTo(0xd269b633813fc60cL);
    assertThat(span.spanId()).isEqualTo(0xeee19b7ec3c1b174L);
    assertThat(span.parentId()).isEqualTo(0xeee19b7ec3c1b173L);
    assertThat(span.name()).isEqualTo("judge answer");
    assertThat(span.kind()).isEqualTo(Kind.PHASE);
    assertThat(span.startNs()).isEqualTo(NOW);
    assertThat(span.isOpen()).isTrue();
    assertThat(span.outcome()).isEqualTo(Outcome.OPEN);
    assertThat(span.said().run()).isEqualTo("r1");
    assertThat(span.said().stage()).isEqualTo("judger");
    assertThat(span.origin().instance()).isEqualTo("8b0c");
  }

  @Test
  void theAttributesOfAStartAreThoseOfItsSpan() throws BadRequestException {
    SpanRecord span = decode(PROCESS, start()).spans().get(0);

    assertThat(visited(span.attributes())).containsExactly("rl.stage=judger", "attempt=2");
    assertThat(span.attributes().detached()).isSameAs(span.attributes());
  }

  @Test
  void theStartOfARootHasNoParent() throws BadRequestException {
    LogRecord.Builder root = record("rollscope.span.start");
    root.addAttributes(attribute("rollscope.span.name", "rollout"));

    assertThat(decode(PROCESS, root).spans().get(0).parentId()).isZero();
  }

  /** SDKs from before LogRecord.event_name existed. */
  @Test
  void theEventsNameMayBeAnAttribute() throws BadRequestException {
    LogRecord.Builder start = start().setEventName("");
    start.addAttributes(attribute("event.name", "rollscope.span.start"));

    SpanRecord span = decode(PROCESS, start).spans().get(0);

    assertThat(span.name()).isEqualTo("judge answer");
    assertThat(visited(span.attributes())).containsExactly("rl.stage=judger", "attempt=2");
  }

  @Test
  void anEventNameOfTheSpanItselfIsKept() throws BadRequestException {
    LogRecord.Builder start = start().addAttributes(attribute("event.name", "mine"));

    assertThat(visited(decode(PROCESS, start).spans().get(0).attributes()))
        .contains("event.name=mine");
  }

  @Test
  void aFinalRecordIsAVerdict() throws BadRequestException {
    LogRecord.Builder last = record("rollscope.session.final");
    last.addAttributes(attribute("rl.status", "rejected"));
    last.addAttributes(attribute("rl.reason", "stale by 5 versions"));
    last.addAttributes(attribute("rl.session.id", "s1"));

    Verdict verdict = decode(PROCESS, last).verdicts().get(0);

    assertThat(verdict.traceHigh()).isEqualTo(0x5b8efff798038103L);
    assertThat(verdict.spanId()).isEqualTo(0xeee19b7ec3c1b174L);
    assertThat(verdict.timeNs()).isEqualTo(NOW);
    assertThat(verdict.status()).isEqualTo("rejected");
    assertThat(verdict.reason()).isEqualTo("stale by 5 versions");
    assertThat(verdict.said().session()).isEqualTo("s1");
    assertThat(verdict.said().run()).isEqualTo("r1");
  }

  @Test
  void aBeatIsASignOfLife() throws BadRequestException {
    LogRecord.Builder beat = record("rollscope.beat");
    beat.addAttributes(attribute("rollscope.open_spans", 12));
    beat.addAttributes(attribute("rollscope.dropped.spans", 1));
    beat.addAttributes(attribute("rollscope.dropped.starts", 2));
    beat.addAttributes(attribute("rollscope.dropped.metrics", 3));
    beat.addAttributes(attribute("rollscope.cut.attributes", 4));

    Sign sign = decode(PROCESS, beat).signs().get(0);

    assertThat(sign).isEqualTo(new Sign(sign.origin(), "r1", false, NOW, 12, 1, 2, 3, 4, 0));
    assertThat(sign.origin().instance()).isEqualTo("8b0c");
  }

  @Test
  void aStartWithoutNameIsUnknown() throws BadRequestException {
    assertThat(decode(PROCESS, record("rollscope.span.start")).spans().get(0).name())
        .isEqualTo("unknown");
  }

  /** A judge scores when the verdict is long given; a checkpoint keeps each at its time. */
  @Test
  void whatASessionEarnedMayComeWithoutAVerdict() throws BadRequestException {
    LogRecord.Builder reward =
        record("rollscope.session.final").addAttributes(attribute("rl.reward", 0.5));
    LogRecord.Builder accepted =
        record("rollscope.session.final")
            .setTimeUnixNano(NOW - 7)
            .addAttributes(attribute("rl.status", "accepted"))
            .addAttributes(attribute("gen_ai.usage.output_tokens", 40))
            .addAttributes(attribute("rl.reward", 0.25));
    Verdict first = decode(PROCESS, reward).verdicts().get(0);
    Verdict second = decode(PROCESS, accepted).verdicts().get(0);

    for (Verdict both : List.of(first.and(second), second.and(first))) {
      assertThat(both.status()).isEqualTo("accepted");
      assertThat(both.timeNs()).isEqualTo(NOW - 7);
      assertThat(both.lateFacts().values()).isEqualTo(new RewardAndTokens(0.5, null, 40L));
      assertThat(both.lateFacts().rewardNs()).isEqualTo(NOW);
      byte[] written = RequestWriter.logs(List.of(both), List.of());
      Verdict again =
          RequestDecoder.decode(Signal.LOGS, written, 0, NOW).verdicts().stream()
              .reduce(Verdict::and)
              .orElseThrow();
      assertThat(again.status()).isEqualTo("accepted");
      assertThat(again.timeNs()).isEqualTo(NOW - 7);
      assertThat(again.lateFacts()).isEqualTo(both.lateFacts());
    }
    assertThat(first.and(first)).isSameAs(first);
  }

  @Test
  void whereARewardWithoutAVerdictBelongsIsWrittenToo() throws BadRequestException {
    LogRecord.Builder reward =
        record("rollscope.session.final")
            .addAttributes(attribute("rl.reward", 0.5))
            .addAttributes(attribute("rl.batch.id", "step-3"))
            .addAttributes(attribute("rl.lane", "replica-0"));
    Verdict said = decode(PROCESS, reward).verdicts().get(0);

    byte[] written = RequestWriter.logs(List.of(said), List.of());

    assertThat(said.said().lane()).isEqualTo("replica-0");
    assertThat(RequestDecoder.decode(Signal.LOGS, written, 0, NOW).verdicts())
        .containsExactly(said);
  }

  @Test
  void aProcessSaysGoodbye() throws BadRequestException {
    Sign sign = decode(PROCESS, record("rollscope.process.end")).signs().get(0);

    assertThat(sign).isEqualTo(new Sign(sign.origin(), "r1", true, NOW, -1, 0, 0, 0, 0, 0));
  }

  @Test
  void aBeatOfNobodyIsRefused() throws BadRequestException {
    requireRefused(
        resource(),
        record("rollscope.beat"),
        "beat without service.instance.id in its resource (expected: the process it is of)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "browser.page_view", "rollscope.span.end"})
  void otherLogRecordsAreRefused(String name) throws BadRequestException {
    requireRefused(PROCESS, record(name), "log record: not a start, beat or verdict record");
  }

  @Test
  void aStackAddsFramesAndTimeToASpan() throws BadRequestException {
    LogRecord.Builder stack = record("rollscope.stack");
    stack.addAttributes(attribute("rollscope.stack.frames", "recv a.py:1\ncall b.py:2"));

    StackRecord record = decode(PROCESS, stack).stacks().get(0);

    assertThat(record.traceHigh()).isEqualTo(0x5b8efff798038103L);
    assertThat(record.spanId()).isEqualTo(0xeee19b7ec3c1b174L);
    assertThat(record.origin().instance()).isEqualTo("8b0c");
    assertThat(visited(record.attributes()))
        .containsExactly(
            "rollscope.stack.frames=recv a.py:1\ncall b.py:2", "rollscope.stack.at=" + NOW);
  }

  /** A sender that does not keep to the limits, or means harm. */
  @Test
  void aStackWithoutFramesOrWithTooManyIsRefused() throws BadRequestException {
    String reason =
        "stack: none or too large (expected: at most 64 frames, one per line, and 8 kB)";
    for (String frames : List.of("", " \n ", "f a.py:1\n".repeat(65), "x".repeat(1 << 20))) {
      LogRecord.Builder stack = record("rollscope.stack");
      stack.addAttributes(attribute("rollscope.stack.frames", frames));
      requireRefused(PROCESS, stack, reason);
    }
    requireRefused(PROCESS, record("rollscope.stack"), reason);
    LogRecord.Builder nowhere = record("rollscope.stack").setSpanId(id("00"));
    nowhere.addAttributes(attribute("rollscope.stack.frames", "f a.py:1"));
    requireRefused(PROCESS, nowhere, "span id: wrong (expected: 8 bytes, not all zero)");
  }

  @Test
  void whatIsWrongWithARecordIsNamed() throws BadRequestException {
    requireRefused(
        PROCESS,
        start().setTraceId(ByteString.EMPTY),
        "trace id: wrong (expected: 16 bytes, not all zero)");
    requireRefused(
        PROCESS, start().setSpanId(id("00")), "span id: wrong (expected: 8 bytes, not all zero)");
    requireRefused(
        PROCESS, start().setTimeUnixNano(0), "time: 0 (expected: nanoseconds since 1970)");
    requireRefused(
        PROCESS,
        start().setTimeUnixNano(Long.MAX_VALUE),
        "time: in the future (expected: at most a day ahead of the collector's clock)");
    requireRefused(
        PROCESS,
        record("rollscope.session.final"),
        "verdict without rl.status (expected: what became of the session, or what it earned)");
    requireRefused(
        PROCESS,
        record("rollscope.span.start")
            .addAttributes(attribute("rollscope.span.name", "a"))
            .addAttributes(attribute("rollscope.span.parent_id", "eee19b7ec3c1b17")),
        "parent span id: wrong (expected: 8 bytes, or none)");
  }

  private static LogRecord.Builder record(String event) {
    return LogRecord.newBuilder()
        .setEventName(event)
        .setTimeUnixNano(NOW)
        .setTraceId(id(TRACE))
        .setSpanId(id(SPAN));
  }

  private static LogRecord.Builder start() {
    return record("rollscope.span.start")
        .addAttributes(attribute("rollscope.span.name", "judge answer"))
        .addAttributes(attribute("rl.stage", "judger"))
        .addAttributes(attribute("rollscope.span.parent_id", PARENT))
        .addAttributes(attribute("attempt", 2));
  }

  private static void requireRefused(Resource resource, LogRecord.Builder record, String reason)
      throws BadRequestException {
    Request request = decode(resource, record);

    assertThat(request.rejected()).containsExactly(entry(reason, 1L));
    assertThat(request.acceptedCount()).isZero();
  }

  private static Request decode(Resource resource, LogRecord.Builder record)
      throws BadRequestException {
    return RequestDecoder.decode(
        Signal.LOGS, Otlp.logs(resource, record.build()).toByteArray(), 0, NOW);
  }
}
