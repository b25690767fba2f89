package io.rollscope.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to each port now and then. One that does not accept twice in a row is opened anew: an
 * open listening socket is no proof that anybody accepts.
 */
final class PortWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PortWatch.class);

  private final List<? extends Watched> ports;
  private final Duration patience;
  private final Map<String, String> troubles = new TreeMap<>();

  /** A port of this process. */
  interface Watched {
    /** How operators know it. */
    String name();

    InetSocketAddress address();

    Connections connections();

    /** Closes it and opens it again under its number. */
    void reopen() throws StartException;
  }

  PortWatch(List<? extends Watched> ports, Duration patience) {
    this.ports = ports;
    this.patience = patience;
  }

  /** What is wrong with any port, for the operator; empty when all accept. */
  synchronized String trouble() {
    return String.join("; ", troubles.values());
  }

  /** Blocks for seconds when a port does not accept. */
  void look() {
    for (Watched port : ports) {
      boolean failedBefore = isTroubled(port);
      String trouble = probe(port);
      if (trouble != null && failedBefore && !trouble.equals(noFiles())) {
        trouble = reopen(port, trouble);
      }
      remember(port, trouble);
    }
  }

  private static String noFiles() {
    return "files: none left to open (expected: a higher ulimit -n)";
  }

  /** What is wrong, or null. */
  private String probe(Watched port) {
    try (Socket socket = new Socket()) {
      return connect(socket, port);
    } catch (SocketException e) {
      boolean files = String.valueOf(e.getMessage()).contains("Too many open files");
      return files ? noFiles() : deaf(port, e.getMessage());
    } catch (IOException e) {
      return deaf(port, e.getMessage());
    }
  }

  private String connect(Socket socket, Watched port) throws IOException {
    socket.bind(null);
    int local = socket.getLocalPort();
    var accepted = port.connections().expect(local);
    try {
      socket.connect(port.address(), (int) patience.toMillis());
      accepted.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException | ExecutionException e) {
      return deaf(port, "not accepted within " + patience.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null; // The server is closing.
    } finally {
      port.connections().expectNoMore(local);
    }
  }

  private static String deaf(Watched port, String why) {
    return port.name() + ": port " + port.address().getPort() + " takes no connections: " + why;
  }

  private static String reopen(Watched port, String trouble) {
    try {
      port.reopen();
      LOG.error("{}; opened anew", trouble);
      return null;
    } catch (StartException e) {
      LOG.error("{}; cannot be opened anew: {}", trouble, e.getMessage());
      return trouble;
    }
  }

  private synchronized boolean isTroubled(Watched port) {
    return troubles.containsKey(port.name());
  }

  private synchronized void remember(Watched port, String trouble) {
    if (trouble == null) {
      troubles.remove(port.name());
    } else if (troubles.put(port.name(), trouble) == null) {
      LOG.error("{}", trouble);
    }
  }
}
