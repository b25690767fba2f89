package io.rollscope.benchmarks.sdk;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import io.rollscope.sdk.Sent;
import io.rollscope.sdk.Signal;
import io.rollscope.sdk.Transport;
import java.util.ArrayList;
import java.util.List;

/** Takes what would be sent, encoded as it is; counts and throws it away when nobody measures. */
final class CountingTransport implements Transport {
  private record Sending(Signal signal, byte[] body) {}

  private final List<Sending> waiting = new ArrayList<>();
  private long spans;
  private long starts;

  @Override
  public synchronized Sent send(Signal signal, byte[] body) {
    waiting.add(new Sending(signal, body));
    return Sent.all();
  }

  synchronized void count() {
    for (Sending one : waiting) {
      int found = decoded(one).spans().size();
      if (one.signal() == Signal.TRACES) {
        spans += found;
      } else {
        starts += found;
      }
    }
    waiting.clear();
  }

  private static Request decoded(Sending one) {
    try {
      io.rollscope.otlp.Signal signal = io.rollscope.otlp.Signal.valueOf(one.signal().name());
      return RequestDecoder.decode(signal, one.body(), 0, Long.MAX_VALUE);
    } catch (BadRequestException e) {
      throw new IllegalStateException(e);
    }
  }

  synchronized long spans() {
    return spans;
  }

  /** Of spans that were open when the sender came to them. */
  synchronized long starts() {
    return starts;
  }
}
