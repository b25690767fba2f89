package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.context.Context;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** An engine that batches requests of many sessions works in threads of its own. */
class ExplicitParentsTest {
  private final Quick quick = new Quick();

  private static String value(Span span, String key) {
    return span.getAttributesList().stream()
        .filter(a -> a.getKey().equals(key))
        .map(KeyValue::getValue)
        .map(v -> v.hasIntValue() ? Long.toString(v.getIntValue()) : v.getStringValue())
        .findFirst()
        .orElse(null);
  }

  private Span span(String name) {
    return quick.transport.spans().stream()
        .filter(s -> s.getName().equals(name))
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  private static <T> T elsewhere(ExecutorService thread, Callable<T> work) throws Exception {
    return thread.submit(work).get();
  }

  @Test
  void whatIsBegunByItsParentBelongsToItFromAnyThread() throws Exception {
    ExecutorService engine = Executors.newSingleThreadExecutor();
    try (Rollscope rs = quick.builder().run("r").quiet(true).build()) {
      Batch batch = rs.batch(7, 6);
      Task task = batch.task("q1", "gsm8k");
      Session session = task.session("s1");
      Session direct = batch.session("s2");
      elsewhere(
          engine,
          () -> {
            try (Phase generate = session.phase("generate").worker("engine:1")) {
              generate.child("prefill").close();
            }
            batch.phase("sync").worker(" trainer ").close();
            direct.phase("other").close();
            task.phase("draw").close();
            assertThat(Context.current()).isSameAs(Context.root());
            return null;
          });
      Phase late = elsewhere(engine, () -> session.phase("late"));
      session.close();
      direct.close();
      task.close();
      batch.close();
      elsewhere(engine, () -> late.child("after the end of its session")).close();
      late.close();
    } finally {
      engine.shutdown();
    }

    Span session =
        quick.transport.spans().stream()
            .filter(s -> "s1".equals(value(s, "rl.session.id")))
            .findFirst()
            .orElseThrow();
    assertThat(value(session, "rl.task.id")).isEqualTo("q1");
    assertThat(value(session, "rl.train_step")).isEqualTo("7");
    assertThat(value(session, "rl.model_step")).isEqualTo("6");
    assertThat(span("generate").getParentSpanId()).isEqualTo(session.getSpanId());
    assertThat(span("generate").getTraceId()).isEqualTo(session.getTraceId());
    assertThat(value(span("generate"), "rl.worker.role")).isEqualTo("engine");
    assertThat(value(span("generate"), "rl.worker.rank")).isEqualTo("1");
    assertThat(value(span("generate"), "rl.kind")).isNull();
    assertThat(span("prefill").getParentSpanId()).isEqualTo(span("generate").getSpanId());
    assertThat(value(span("prefill"), "rl.worker.role")).isNull();
    assertThat(value(span("sync"), "rl.kind")).isEqualTo("op");
    assertThat(value(span("sync"), "rl.train_step")).isEqualTo("7");
    assertThat(value(span("sync"), "rl.worker.role")).isEqualTo("trainer");
    assertThat(value(span("sync"), "rl.worker.rank")).isNull();
    assertThat(value(span("draw"), "rl.task.id")).isEqualTo("q1");
    assertThat(span("after the end of its session").getParentSpanId())
        .isEqualTo(span("late").getSpanId());
    assertThat(quick.warnings).isEmpty();
  }

  @Test
  void whatIsNoWorkerIsSaidOnce() {
    try (Rollscope rs = quick.builder().quiet(true).build();
        Phase phase = rs.phase("a")) {
      phase.worker("engine:x:").worker("engine:x:").worker("").worker(null);
    }
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: worker: engine:x: (expected: role or role:rank, as in engine:1)",
            "rollscope: worker:  (expected: role or role:rank, as in engine:1)",
            "rollscope: worker: null (expected: role or role:rank, as in engine:1)");
  }
}
