package io.rollscope.server;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** One port, open under a number, and again under the same one when it has to be. */
final class Port implements PortWatch.Watched {
  /** What is being answered may be finished meanwhile; a thread that is dead never ends. */
  private static final int STOP_PATIENCE_S = 10;

  private final String option;
  private final InetAddress address;
  private final Connections connections;
  private final IntFunction<ServerBuilder> builder;
  private Server server;
  private int number;
  private boolean closed;

  /**
   * @param option that chooses its number
   * @param builder what it serves, by number; 0 for any
   */
  Port(
      String option,
      InetAddress address,
      Connections connections,
      IntFunction<ServerBuilder> builder) {
    this.option = option;
    this.address = address;
    this.connections = connections;
    this.builder = builder;
  }

  /** Opens it under that number, or any if it is 0. */
  synchronized void open(int wanted) throws StartException {
    Server opened =
        builder
            .apply(wanted)
            .childChannelPipelineCustomizer(connections.andThen(RequestHeads::addTo))
            .build();
    try {
      opened.start().join();
    } catch (CompletionException e) {
      opened.close();
      throw new StartException(reason(wanted, e.getCause()), e);
    }
    server = opened;
    number = opened.activeLocalPort();
  }

  private String reason(int wanted, Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    if (text.contains("in use")) {
      return "port: "
          + wanted
          + " is in use (expected: a free one; "
          + option
          + " chooses another, 0 any)";
    }
    if (text.contains("assign")) {
      return "host: " + address.getHostAddress() + " (expected: an address of this machine)";
    }
    return "port: "
        + wanted
        + ": "
        + text
        + " (expected: one that can be bound; see "
        + option
        + ")";
  }

  @Override
  public synchronized void reopen() throws StartException {
    if (!closed && stop()) {
      open(number);
    }
  }

  /** Waits a moment for the end: where that does not come, opening says that the port is taken. */
  private boolean stop() {
    try {
      server.stop().get(STOP_PATIENCE_S, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The whole server is closing.
      return false;
    }
    return true;
  }

  @Override
  public String name() {
    return option;
  }

  @Override
  public synchronized InetSocketAddress address() {
    return new InetSocketAddress(
        address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, number);
  }

  @Override
  public Connections connections() {
    return connections;
  }

  synchronized Server server() {
    return server;
  }

  synchronized CompletableFuture<?> closeAsync() {
    closed = true;
    return server.closeAsync();
  }
}
