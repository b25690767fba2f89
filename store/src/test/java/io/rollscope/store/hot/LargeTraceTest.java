package io.rollscope.store.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.TraceRequestBuilder;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.MetricBook;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One trace of 200,000 spans, in shapes that are unkind; each must take seconds, not hours. */
@Timeout(60)
class LargeTraceTest {
  private static final long T0 = 1_800_000_000_000_000_000L;
  private static final int SPANS = 200_000;
  private static final int PER_REQUEST = 5_000;
  private final HotStore hot =
      new HotStore(SealedSpans.NONE, 1_000_000, new MetricBook(), new Position(0, 0));

  private void send(LongUnaryOperator parent) throws BadRequestException {
    for (int from = 1; from <= SPANS; from += PER_REQUEST) {
      TraceRequestBuilder request = new TraceRequestBuilder().resource();
      request.attribute("service.name", "trainer").attribute("rl.run.id", "run-1");
      for (long id = from; id < from + PER_REQUEST; id++) {
        request.span(1, 1, id, parent.applyAsLong(id), "step", T0 + id, T0 + 2 * SPANS - id);
        if (id == 1) {
          request.attribute("rl.session.id", "s-1");
        }
      }
      hot.apply(
          RequestDecoder.decode(Signal.TRACES, request.build(), 0, T0), T0, new Position(1, from));
      hot.settle();
    }
  }

  private HotSession session(String id) {
    return hot.session(new SessionKey("run-1", id, false));
  }

  /** An agent whose every step is the child of the one before. */
  @Test
  void aChainIsOneSession() throws Exception {
    send(id -> id - 1);
    assertThat(session("s-1").spans()).hasSize(SPANS);
  }

  @Test
  void idsThatGoRoundInACircleEnd() throws Exception {
    send(id -> id == 1 ? 0 : id == 2 ? SPANS : id - 1);
    assertThat(hot.sessions()).hasSize(2);
    assertThat(session("s-1").spans()).hasSize(1);
  }

  /** Engines that sample their own spans: every parent is missing. */
  @Test
  void everyParentMayBeMissing() throws Exception {
    send(id -> id + 10L * SPANS);
    assertThat(hot.sessions()).hasSize(2);
    assertThat(session("s-1").spans()).hasSize(1);
    assertThat(session(HotTrace.hex(1) + HotTrace.hex(1)).inferred).hasSize(SPANS - 1);
  }
}
