package io.rollscope.server.scrape;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import io.rollscope.server.receive.Intake;
import io.rollscope.store.Incoming;
import io.rollscope.store.journal.RetryableJournalException;
import io.rollscope.store.journal.Source;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Brings requests made of scrapes into the store, by the way that received ones take. */
final class Posting {
  private static final int TRIES = 5;

  private final Intake intake;
  private final ScheduledExecutorService timer;
  private final LongAdder lost = new LongAdder();

  Posting(Intake intake, ScheduledExecutorService timer) {
    this.intake = intake;
    this.timer = timer;
  }

  /** Requests that the store did not take, however often it was asked. */
  long lost() {
    return lost.sum();
  }

  /**
   * @param bytes {@link Incoming#HEAD} free bytes, then the request
   * @param remark gets a line when something of it is not kept
   */
  void send(byte[] bytes, long nowNs, Consumer<String> remark) {
    try {
      Request request = RequestDecoder.decode(Signal.METRICS, bytes, Incoming.HEAD, nowNs);
      request
          .rejected()
          .forEach((reason, count) -> remark.accept("not kept: " + count + " × " + reason));
      offer(
          new Incoming(new Source.Otlp(Signal.METRICS), Signal.METRICS, nowNs, bytes, request),
          TRIES,
          remark);
    } catch (BadRequestException e) {
      throw new IllegalStateException("a request of our own cannot be read", e);
    }
  }

  private void offer(Incoming incoming, int tries, Consumer<String> remark) {
    var unused =
        intake
            .accept(incoming)
            .whenComplete(
                (receipt, failure) -> {
                  if (failure != null) {
                    again(incoming, tries - 1, remark, failure);
                  }
                });
  }

  private void again(Incoming incoming, int left, Consumer<String> remark, Throwable failure) {
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    if (left > 0 && cause instanceof RetryableJournalException busy) {
      try {
        var unused =
            timer.schedule(
                () -> offer(incoming, left, remark),
                busy.retryAfter().toMillis(),
                TimeUnit.MILLISECONDS);
        return;
      } catch (RejectedExecutionException e) {
        // Closing: it is lost.
      }
    }
    lost.increment();
    remark.accept("lost: the store does not take it: " + cause.getMessage());
  }
}
