package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/**
 * HTTP/1.1 on a plain socket: one system call sends a request, so that the generator takes as
 * little as possible of the processor it shares with the receiver.
 */
final class HttpConnection implements Connection {
  private static final String END_OF_HEAD = "\r\n\r\n";

  private final String authority;
  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocate(64 << 10);

  HttpConnection(String host, int port) throws IOException {
    authority = host + ":" + port;
    channel = SocketChannel.open(new InetSocketAddress(host, port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public byte[] head(SpanFormat format, int length) {
    return head(format.path(), format.contentType(), length);
  }

  byte[] head(String path, String contentType, int length) {
    String head =
        String.format(
            "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d%s",
            path, authority, contentType, length, END_OF_HEAD);
    return head.getBytes(US_ASCII);
  }

  @Override
  public Answer send(ByteBuffer request) throws IOException {
    while (request.hasRemaining()) {
      channel.write(request);
    }
    in.clear();
    String text;
    int headEnd;
    do {
      receive();
      text = new String(in.array(), 0, in.position(), US_ASCII);
      headEnd = text.indexOf(END_OF_HEAD);
    } while (headEnd < 0);
    String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
    int bodyFrom = headEnd + END_OF_HEAD.length();
    String length = header(head, "content-length");
    if (length == null) {
      throw new IOException("answer: " + head + " (expected: a content-length)");
    }
    int bodyTo = bodyFrom + Integer.parseInt(length);
    while (in.position() < bodyTo) {
      receive();
    }
    byte[] body = new byte[bodyTo - bodyFrom];
    System.arraycopy(in.array(), bodyFrom, body, 0, body.length);
    String seconds = header(head, "retry-after");
    return new Answer(
        Integer.parseInt(head.substring(9, 12)),
        seconds == null ? 100 : 1_000L * Integer.parseInt(seconds),
        body);
  }

  private static String header(String head, String name) {
    int at = head.indexOf("\r\n" + name + ":");
    if (at < 0) {
      return null;
    }
    int from = at + name.length() + 3;
    int to = head.indexOf('\r', from);
    return head.substring(from, to < 0 ? head.length() : to).strip();
  }

  private void receive() throws IOException {
    if (!in.hasRemaining()) {
      throw new IOException("answer: over " + in.capacity() + " bytes (expected: a short one)");
    }
    if (channel.read(in) < 0) {
      throw new EOFException(authority + ": closed (expected: an answer)");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
