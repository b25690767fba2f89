package io.rollscope.store.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.TraceRequestBuilder;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.MetricBook;
import org.junit.jupiter.api.Test;

/** Which journal files are needed while spans begin and end around a checkpoint. */
class RestatedTest {
  private static final long T0 = 1_800_000_000_000_000_000L;
  private final HotStore hot =
      new HotStore(SealedSpans.NONE, 1_000, new MetricBook(), new Position(0, 0));

  private void apply(long id, long endNs, long file) throws BadRequestException {
    TraceRequestBuilder request = new TraceRequestBuilder().resource();
    request.attribute("service.name", "trainer").attribute("rl.run.id", "run-1");
    byte[] bytes = request.span(1, 1, id, 0, "generate", T0, endNs).build();
    hot.apply(RequestDecoder.decode(Signal.TRACES, bytes, 0, T0), T0, new Position(file, 0));
  }

  /** What was known at its start is in the older file only. */
  @Test
  void aSpanNeedsTheFileOfItsStartUntilItIsSealed() throws Exception {
    apply(1, Nanos.OPEN, 1);
    apply(1, T0 + 5, 4);
    assertThat(hot.oldestUnsealedFile()).isEqualTo(1);
  }

  @Test
  void anOpenSpanThatWasRestatedNeedsOnlyTheNewFile() throws Exception {
    apply(1, Nanos.OPEN, 1);
    HotStore.Restated restated = hot.restated(3);
    assertThat(restated.spans()).hasSize(1);
    restated.moveTo(3);
    assertThat(hot.restated(3).spans()).isEmpty();
    apply(1, T0 + 5, 4);
    assertThat(hot.oldestUnsealedFile()).isEqualTo(3);
  }

  /** Its end arrives in the old file while the checkpoint is on its way to the new one. */
  @Test
  void aSpanThatEndsDuringACheckpointNeedsTheFileOfItsEnd() throws Exception {
    apply(1, Nanos.OPEN, 1);
    HotStore.Restated restated = hot.restated(2);
    apply(1, T0 + 5, 2);
    restated.moveTo(3);
    assertThat(hot.oldestUnsealedFile()).isLessThanOrEqualTo(2);
  }
}
