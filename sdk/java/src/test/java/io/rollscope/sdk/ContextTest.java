package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Phases that begin here and end there. */
class ContextTest {
  private final Quick quick = new Quick();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
    assertThat(Context.current()).isSameAs(Context.root());
  }

  private io.opentelemetry.proto.trace.v1.Span sent(String name) {
    return quick.transport.spans().stream()
        .filter(s -> s.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void assertInside(String inner, String outer) {
    assertThat(sent(inner).getParentSpanId()).as(inner).isEqualTo(sent(outer).getSpanId());
  }

  @Test
  void wrappedExecutorsPassTheContextOn() throws Exception {
    try (Rollscope rs = quick.builder().build();
        Session session = rs.session()) {
      ExecutorService wrapped = rs.wrap(threads);
      try (Phase phase = rs.phase("fan out")) {
        wrapped.invokeAll(List.of(named(rs, "a"), named(rs, "b")), 20, TimeUnit.SECONDS);
        wrapped.submit(() -> rs.phase("c").close()).get();
        CompletableFuture.supplyAsync(
                () -> rs.trace("d", () -> 1), rs.wrap((java.util.concurrent.Executor) threads))
            .get();
      }
    }
    for (String name : List.of("a", "b", "c", "d")) {
      assertInside(name, "fan out");
    }
  }

  private static Callable<Integer> named(Rollscope rs, String name) {
    return () -> rs.trace(name, () -> 1);
  }

  @Test
  void callbacksOfAWrappedFutureSeeWhereTheyWereGiven() throws Exception {
    CompletableFuture<String> source = new CompletableFuture<>();
    CompletableFuture<?> end;
    try (Rollscope rs = quick.builder().build();
        Session session = rs.session()) {
      CompletableFuture<String> wrapped = rs.wrap(source);
      CompletableFuture<Integer> scored;
      try (Phase phase = rs.phase("ask")) {
        scored = wrapped.thenApply(text -> rs.trace("parse", text::length));
      }
      try (Phase phase = rs.phase("score")) {
        end =
            scored
                .thenCompose(n -> CompletableFuture.completedFuture(rs.trace("judge", () -> n + 1)))
                .whenComplete((n, error) -> rs.phase("report").close());
      }
      threads.submit(() -> source.complete("abc")).get();
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(4);
    }
    assertInside("parse", "ask");
    assertInside("judge", "score");
    assertInside("report", "score");
  }

  @Test
  void asynchronousPhaseLastsUntilItsFutureIsDone() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    try (Rollscope rs = quick.builder().build()) {
      CompletableFuture<String> given =
          rs.traceAsync(
              "generate",
              () -> {
                rs.phase("inside").close();
                return answer;
              });
      assertThat(given).isSameAs(answer);
      assertThat(Span.current().getSpanContext().isValid()).isFalse();
      rs.flush(Quick.PATIENCE);
      assertThat(quick.transport.spans()).hasSize(1);
      threads.submit(() -> answer.complete("x")).get();
      rs.flush(Quick.PATIENCE);
      assertInside("inside", "generate");

      rs.traceAsync("cancelled", CompletableFuture::new).cancel(true);
      assertThatThrownBy(
              () ->
                  rs.traceAsync(
                      "thrown",
                      () -> {
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
    }
    assertThat(sent("cancelled").getAttributesList().toString())
        .contains("java.util.concurrent.CancellationException");
    assertThat(sent("thrown").getStatus().getCodeValue()).isEqualTo(2);
  }

  @Test
  void phasesClosedInTheWrongOrderLeaveNothingBehind() {
    try (Rollscope rs = quick.builder().build()) {
      Phase outer = rs.phase("outer");
      Phase inner = rs.phase("inner");
      outer.close();
      assertThat(Span.current()).isSameAs(inner.span());
      inner.close();
      assertThat(Context.current()).isSameAs(Context.root());
      rs.phase("next").close();
    }
    assertThat(sent("next").getParentSpanId()).isEmpty();
  }

  @Test
  void phaseClosedByAnotherThreadLeavesNothingBehind() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      Phase phase = rs.phase("handed over");
      CountDownLatch closed = new CountDownLatch(1);
      threads.execute(
          phase
              .context()
              .wrap(
                  () -> {
                    phase.set("by", "another thread").close();
                    closed.countDown();
                  }));
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
      rs.phase("next").close();
      assertThat(Context.current()).isSameAs(Context.root());
      assertThat(threads.submit(Context::current).get()).isSameAs(Context.root());
    }
    assertThat(sent("next").getParentSpanId()).isEmpty();
    assertThat(sent("handed over").getAttributesList().toString()).contains("another thread");
  }

  @Test
  void callablesAndLambdasAreTraced() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      Callable<String> callable = () -> "x";
      assertThat(rs.trace("callable", callable)).isEqualTo("x");
      int length = rs.trace("lambda", () -> "abc".length());
      assertThat(length).isEqualTo(3);
      rs.phase("run").run(() -> rs.phase("inside").close());
    }
    assertThat(quick.transport.spans()).hasSize(4);
    assertInside("inside", "run");
  }

  @Test
  void parallelPhasesOfOneSessionAreItsChildren() throws Exception {
    try (Rollscope rs = quick.builder().build();
        Session session = rs.session()) {
      Phase first = rs.phase("first", session.context());
      Phase second = rs.phase("second", session.context());
      second.close();
      first.close();
    }
    assertInside("first", "session");
    assertInside("second", "session");
  }
}
