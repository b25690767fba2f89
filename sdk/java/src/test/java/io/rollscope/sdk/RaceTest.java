package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.send.Pace;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Buffer;
import io.rollscope.sdk.internal.span.RecordedSpan;
import io.rollscope.sdk.internal.span.Spans;
import io.rollscope.sdk.internal.span.WallClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Callers and the sender at the same span, at the same time. */
class RaceTest {
  private static final int THREADS = 4;
  private final Quick quick = new Quick();

  private static void inParallel(Runnable work) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(work);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The sender takes spans out of the buffer while they begin and end. */
  @Test
  void noEndIsLostHoweverEarlyTheStartIsTold() throws Exception {
    int each = 5_000;
    Pace restless =
        new Pace(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofMillis(1));
    try (Rollscope rs = quick.builder().pace(restless).buffer(1_000_000).build()) {
      inParallel(
          () -> {
            for (int i = 0; i < each; i++) {
              Phase phase = rs.phase("p").set("a", i);
              if (i % 2 == 0) {
                LockSupport.parkNanos(1); // So that the sender gets a chance.
              }
              phase.set("b", "x").close();
            }
          });
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      assertThat(rs.dropped()).isEqualTo(new Dropped(0, 0, 0));
    }
    assertThat(quick.transport.spans())
        .hasSize(THREADS * each)
        .allSatisfy(s -> assertThat(s.getAttributesList()).hasSize(3));
    assertThat(quick.transport.spans().stream().map(s -> s.getSpanId()).distinct())
        .hasSize(THREADS * each);
    assertThat(quick.transport.logs("rollscope.span.start")).isNotEmpty();
    assertThat(
            MemoryTransport.number(
                quick.transport.logs("rollscope.process.end").get(0), "rollscope.open_spans"))
        .isZero();
    assertThat(quick.warnings).isEmpty();
  }

  /** The sender is so quick that it has the span before its caller knows that it began. */
  @Test
  void spanToldWithinItsOwnBeginningIsToldAgainAtItsEnd() {
    List<RecordedSpan> told = new ArrayList<>();
    AtomicReference<Buffer> buffer = new AtomicReference<>();
    buffer.set(
        new Buffer(
            10_000,
            () -> {
              for (Object one = buffer.get().poll(); one != null; one = buffer.get().poll()) {
                if (one instanceof RecordedSpan span && !span.isEndedOrElseTold()) {
                  told.add(span);
                }
              }
            }));
    Book book = new Book(WallClock.system(), buffer.get(), 100, 0, false, warning -> {});
    Spans spans = new Spans(book, Context.root());
    RecordedSpan last = null;
    for (int i = 0; i < Buffer.WORTH_SENDING; i++) {
      last = spans.phase("p", Context.root());
    }
    assertThat(told).contains(last).hasSize(Buffer.WORTH_SENDING);
    last.end();
    assertThat(buffer.get().poll()).isSameAs(last);
    assertThat(last.isEndedOrElseTold()).isTrue();
  }

  @Test
  void attributesAndEventsOfManyThreadsAllArrive() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      Phase phase = rs.phase("shared");
      AtomicLong next = new AtomicLong();
      inParallel(
          () -> {
            for (int i = 0; i < 20; i++) {
              phase.set("key-" + next.incrementAndGet(), i);
              phase.span().addEvent("e");
            }
          });
      phase.close();
    }
    assertThat(quick.transport.spans().get(0).getAttributesCount()).isEqualTo(THREADS * 20 + 1);
    assertThat(quick.transport.spans().get(0).getEventsCount()).isEqualTo(THREADS * 20);
  }

  @Test
  void attributesBeyondTheLimitAreCounted() {
    try (Rollscope rs = quick.builder().build()) {
      Phase phase = rs.phase("many");
      for (int i = 0; i < 1_000; i++) {
        phase.set("key-" + i % 200, i);
      }
      phase.close();
    }
    var span = quick.transport.spans().get(0);
    assertThat(span.getAttributesCount()).isEqualTo(128 + 2); // rl.kind and rollscope.cut
    assertThat(span.getDroppedAttributesCount()).isEqualTo(5 * (200 - 128));
  }

  /** Prompts are recorded while the collector is away: memory stays bounded. */
  @Test
  void longTextsAreCutWhenTooManyWait() throws Exception {
    quick.transport.answer = (signal, body) -> Sent.later(null, "away");
    String text = "x".repeat(4_096);
    try (Rollscope rs = quick.builder().deadline(Duration.ofSeconds(20)).build()) {
      for (int i = 0; i < 20_000; i++) {
        rs.phase("p").set("text", text).close();
      }
      quick.transport.answer = (signal, body) -> Sent.all();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      rs.phase("after").set("text", text).close();
    }
    long whole =
        quick.transport.spans().stream()
            .filter(s -> s.getAttributes(1).getValue().getStringValue().length() == 4_096)
            .count();
    assertThat(whole).isBetween(16_384L, 20_000L - 1);
    assertThat(quick.transport.spans()).hasSize(20_001);
  }

  @Test
  void bufferRefusesWhatIsTooMuchAndKeepsTheOrder() {
    AtomicLong woken = new AtomicLong();
    Buffer buffer = new Buffer(5_000, woken::incrementAndGet);
    int taken = 0;
    for (int i = 0; i < 6_000; i++) {
      taken += buffer.offer(i) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(5_000);
    assertThat(woken).hasValue(1);
    for (int i = 0; i < 5_000; i++) {
      assertThat(buffer.poll()).isEqualTo(i);
    }
    assertThat(buffer.poll()).isNull();
    assertThat(buffer.offer("again")).isTrue();
    buffer.close();
    assertThat(buffer.offer("late")).isFalse();
    assertThat(buffer.poll()).isEqualTo("again");
  }
}
