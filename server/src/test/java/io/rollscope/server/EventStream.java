package io.rollscope.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Reads server-sent events, or does not, as slow as a test wants. */
final class EventStream implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Socket socket = new Socket();
  private final BufferedReader in;

  /** One event. */
  record Event(String id, String name, JsonNode data) {}

  EventStream(URI server, String path) throws IOException {
    socket.setReceiveBufferSize(16 << 10);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
    String head =
        "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    String status = in.readLine();
    if (!status.contains(" 200 ")) {
      throw new IOException(status);
    }
    while (!in.readLine().isEmpty()) {
      // Headers say nothing that matters here.
    }
  }

  /** The next event. HTTP chunk sizes stand on lines of their own and are passed over. */
  Event next() throws IOException {
    String id = null;
    String name = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("data: ")) {
        return new Event(id, name, JSON.readTree(line.substring(6)));
      }
    }
    throw new IOException("stream ended");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
