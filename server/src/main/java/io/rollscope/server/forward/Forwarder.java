package io.rollscope.server.forward;

import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.Intake;
import io.rollscope.store.Incoming;
import io.rollscope.store.journal.Source;
import java.io.Closeable;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Sends spans that were received on to other backends. Whoever sends them to us never waits. */
public final class Forwarder implements Closeable {
  private final List<Backend> backends;

  private Forwarder(List<Backend> backends) {
    this.backends = backends;
  }

  /**
   * @param headers sent with every request
   */
  public static Forwarder start(List<URI> urls, Map<String, String> headers) {
    return new Forwarder(urls.stream().map(url -> Backend.start(url, headers)).toList());
  }

  /** An intake before which spans are forwarded as soon as they are durable. */
  public Intake before(Intake store) {
    if (backends.isEmpty()) {
      return store;
    }
    return incoming ->
        store
            .accept(incoming)
            .thenApply(
                receipt -> {
                  forward(incoming);
                  return receipt;
                });
  }

  private void forward(Incoming incoming) {
    int spans = incoming.request().spans().size();
    boolean sent = incoming.source() instanceof Source.Otlp && incoming.signal() == Signal.TRACES;
    if (sent && spans > 0) {
      Parcel parcel = new Parcel(incoming.bytes(), Incoming.HEAD, spans);
      backends.forEach(backend -> backend.offer(parcel));
    }
  }

  public List<ForwardNumbers> numbers() {
    return backends.stream().map(Backend::numbers).toList();
  }

  /** Sends what is waiting, for a few seconds at most. */
  @Override
  public void close() {
    backends.forEach(Backend::end);
    backends.forEach(Backend::close);
  }
}
