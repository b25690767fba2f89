package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** An SDK that is off costs nothing. */
class DisabledTest {
  private static final int ROUNDS = 20_000;

  private static long everything(Rollscope rs) {
    long sum = 0;
    try (Batch batch = rs.batch(1, 2);
        Task task = rs.task("7", "gsm8k").set("a", "b");
        Session session = rs.session().set("k", 1).count("tokens", 5);
        State state = rs.state("rollout", "trainer_0", 1)) {
      try (Phase phase = rs.phase("generate").set("a", "x").set("b", 1_000_000L).set("c", 0.5)) {
        phase.set("d", true).failed((Throwable) null);
        sum += rs.trace("judge", () -> 3);
      }
      session.accepted().rejected("no");
      rs.counter("tokens").with("worker", 300).add(5, 1);
      rs.gauge("loss").set(0.5);
      rs.histogram("length").record(7, 1);
    }
    return sum;
  }

  @Test
  void nothingIsAllocated() {
    Rollscope rs = Rollscope.builder().environment(Map.of()).build();
    assertThat(rs.isEnabled()).isFalse();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    everything(rs);
    threads.getThreadAllocatedBytes(id);
    long before = threads.getThreadAllocatedBytes(id);
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum += everything(rs);
    }
    long allocated = threads.getThreadAllocatedBytes(id) - before;
    assertThat(sum).isEqualTo(3L * ROUNDS);
    // The virtual machine itself takes some hundred bytes; a single object per round would be
    // 320,000.
    assertThat(allocated).isLessThan(ROUNDS);
  }

  @Test
  void noClockIsRead() {
    int[] reads = {0};
    io.rollscope.sdk.internal.span.WallClock clock =
        new io.rollscope.sdk.internal.span.WallClock(() -> ++reads[0], () -> ++reads[0]);
    int whenMade = reads[0];
    Quick quick = new Quick();
    everything(quick.builder().enabled(false).clock(clock).build());
    assertThat(reads[0]).isEqualTo(whenMade);
    try (Rollscope rs = quick.builder().clock(clock).build()) {
      everything(rs);
    }
    assertThat(reads[0]).isGreaterThan(whenMade);
  }

  @Test
  void contextOfOthersIsLeftAlone() {
    Rollscope rs = Rollscope.disabled();
    Context before = Context.current();
    try (Session session = rs.session();
        Phase phase = rs.phase("a")) {
      assertThat(Context.current()).isSameAs(before);
      assertThat(session.span()).isSameAs(Span.getInvalid());
      assertThat(phase.context()).isSameAs(before);
    }
    Executor executor = Runnable::run;
    assertThat(rs.wrap(executor)).isSameAs(executor);
    Map<String, String> headers = new HashMap<>();
    rs.inject(headers);
    assertThat(headers).isEmpty();
    assertThat(rs.environment()).isEmpty();
  }
}
