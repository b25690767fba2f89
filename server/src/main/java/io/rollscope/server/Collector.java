package io.rollscope.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;

/** A running collector: store, receivers, API and tailed folders. */
public final class Collector implements Closeable {
  private Collector() {}

  /**
   * Starts everything; when this returns, all ports answer.
   *
   * @throws StartException when something the operator can change is in the way
   */
  public static Collector start(ServerOptions options) throws StartException {
    throw new UnsupportedOperationException("not yet");
  }

  /** Where page and API are. */
  public URI url() {
    throw new UnsupportedOperationException("not yet");
  }

  public URI otlpHttp() {
    throw new UnsupportedOperationException("not yet");
  }

  /** {@code host:port}. */
  public String otlpGrpc() {
    throw new UnsupportedOperationException("not yet");
  }

  /** The token in force, given or generated; null when none is needed. */
  public String token() {
    throw new UnsupportedOperationException("not yet");
  }

  /** Stops receiving, writes what is waiting, and gives the data folder free. */
  @Override
  public void close() throws IOException {}
}
