package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the sender makes of what transports answer. */
class DeliveryTest {
  private final Quick quick = new Quick();

  private LogRecord lastSign() {
    return quick.transport.logs("rollscope.process.end").get(0);
  }

  @Test
  void shortSpanIsOneRecordAndALongOneTwo() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      Phase phase = rs.phase("long").set("a", 1);
      Waiting.until(() -> quick.transport.logs("rollscope.span.start").size() == 1);
      phase.set("b", 2).close();
      rs.phase("short").close();
      rs.flush(Quick.PATIENCE);
    }
    assertThat(quick.transport.spans()).hasSize(2);
    LogRecord start = quick.transport.logs("rollscope.span.start").get(0);
    var end = quick.transport.spans().stream().filter(s -> s.getName().equals("long")).findFirst();
    assertThat(start.getSpanId()).isEqualTo(end.orElseThrow().getSpanId());
    assertThat(start.getTimeUnixNano()).isEqualTo(end.orElseThrow().getStartTimeUnixNano());
    assertThat(start.getAttributesList())
        .extracting(a -> a.getKey())
        .containsExactly("rollscope.span.name", "rl.kind", "a");
    assertThat(MemoryTransport.number(lastSign(), "rollscope.open_spans")).isZero();
  }

  @Test
  void requestIsRepeatedUntilItArrivesAndComesOnce() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    quick.transport.answer =
        (signal, body) -> {
          if (signal != Signal.TRACES) {
            return Sent.all();
          }
          return switch (attempts.incrementAndGet()) {
            case 1 -> throw new IOException("connection refused");
            case 2 -> Sent.later(Duration.ofMillis(30), "busy");
            case 3 -> Sent.later(null, "busy");
            default -> Sent.all();
          };
        };
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("a").close();
      rs.flush(Quick.PATIENCE);
    }
    assertThat(attempts).hasValue(4);
    assertThat(quick.transport.spans()).hasSize(1);
    assertThat(quick.warnings).hasSize(1);
    assertThat(MemoryTransport.number(lastSign(), "rollscope.dropped.spans")).isZero();
  }

  @Test
  void retryAfterIsObeyed() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    quick.transport.answer =
        (signal, body) ->
            attempts.incrementAndGet() == 1
                ? Sent.later(Duration.ofMillis(400), "busy")
                : Sent.all();
    long before = System.nanoTime();
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("a").close();
      rs.flush(Quick.PATIENCE);
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }
  }

  @Test
  void refusedRequestIsGivenUpCountedAndTold() throws Exception {
    quick.transport.answer =
        (signal, body) -> signal == Signal.TRACES ? Sent.refused("400: no") : Sent.all();
    try (Rollscope rs = quick.builder().build()) {
      for (int i = 0; i < 5; i++) {
        rs.phase("a").close();
      }
      rs.flush(Quick.PATIENCE);
    }
    assertThat(MemoryTransport.number(lastSign(), "rollscope.dropped.spans")).isEqualTo(5);
    assertThat(quick.warnings).containsExactly("rollscope: 5 items of /v1/traces refused: 400: no");
  }

  @Test
  void partialSuccessIsCountedAndTold() throws Exception {
    quick.transport.answer =
        (signal, body) -> signal == Signal.TRACES ? Sent.partly(2, "2 were odd") : Sent.all();
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("a").close();
      rs.phase("b").close();
      rs.phase("c").close();
      rs.flush(Quick.PATIENCE);
    }
    assertThat(MemoryTransport.number(lastSign(), "rollscope.dropped.spans")).isEqualTo(2);
    assertThat(quick.warnings).hasSize(1);
  }

  /** The collector hangs for longer than the buffer lasts. */
  @Test
  void buffersFillThenDropAndTheCountsAreExact() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(1);
    quick.transport.answer =
        (signal, body) -> {
          hanging.countDown();
          hang.await();
          return Sent.all();
        };
    int recorded = 3_000;
    try (Rollscope rs = quick.builder().buffer(1_000).build()) {
      rs.phase("first").close();
      assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
      Phase open = rs.phase("open");
      for (int i = 0; i < recorded; i++) {
        rs.phase("a").close();
        rs.gauge("g").set(i);
      }
      open.close();
      hang.countDown();
      rs.flush(Quick.PATIENCE);
    }
    long spans = quick.transport.spans().size();
    long dropped = MemoryTransport.number(lastSign(), "rollscope.dropped.spans");
    long points =
        quick.transport.metrics().stream().mapToLong(m -> m.getGauge().getDataPointsCount()).sum();
    long droppedPoints = MemoryTransport.number(lastSign(), "rollscope.dropped.metrics");
    assertThat(spans + dropped).isEqualTo(recorded + 2);
    assertThat(dropped).isPositive();
    assertThat(points + droppedPoints).isEqualTo(recorded);
    assertThat(MemoryTransport.number(lastSign(), "rollscope.dropped.starts")).isEqualTo(dropped);
  }

  @Test
  void transportThatThrowsHurtsNobody() throws Exception {
    quick.transport.answer =
        (signal, body) -> {
          throw new IllegalStateException("a fault");
        };
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("a").close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      quick.transport.answer = (signal, body) -> Sent.all();
      rs.phase("b").close();
    }
    assertThat(quick.transport.spans()).extracting(s -> s.getName()).containsExactly("b");
    assertThat(quick.transport.closed).isTrue();
  }

  @Test
  void beatsComeWithoutWorkFromTheFirstThingOn() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      rs.flush(Quick.PATIENCE);
      assertThat(quick.transport.arrived).isEmpty();
      Phase open = rs.phase("a");
      Waiting.until(() -> quick.transport.logs("rollscope.beat").size() > 2);
      open.close();
    }
    List<LogRecord> beats = quick.transport.logs("rollscope.beat");
    assertThat(MemoryTransport.number(beats.get(0), "rollscope.open_spans")).isEqualTo(1);
  }

  /** The collector comes back while a long back-off is waited for, and the training ends. */
  @Test
  void closingTriesAgainAtOnce() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    quick.transport.answer =
        (signal, body) ->
            attempts.incrementAndGet() == 1
                ? Sent.later(Duration.ofMinutes(5), "busy")
                : Sent.all();
    Rollscope rs = quick.builder().build();
    rs.phase("a").close();
    Waiting.until(() -> attempts.get() == 1);
    rs.close();
    assertThat(quick.transport.spans()).hasSize(1);
    assertThat(rs.dropped()).isEqualTo(new Dropped(0, 0, 0));
  }

  @Test
  void whatIsLeftAtTheDeadlineIsCounted() throws Exception {
    quick.transport.answer = (signal, body) -> Sent.later(null, "away");
    Rollscope rs = quick.builder().deadline(Duration.ofMillis(100)).build();
    rs.phase("first").close();
    Waiting.until(() -> !quick.warnings.isEmpty());
    for (int i = 0; i < 9; i++) {
      rs.phase("a").close();
    }
    rs.gauge("g").set(1);
    rs.close();
    Waiting.untilEquals(new Dropped(10, 0, 1), rs::dropped);
  }
}
