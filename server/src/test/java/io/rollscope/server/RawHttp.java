package io.rollscope.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests with headers that a well-behaved client does not let one set, such as Host. */
final class RawHttp {
  private RawHttp() {}

  /** The status code and the rest of the answer. */
  record Raw(int status, String text) {}

  static Raw get(int port, String path, String... headers) throws IOException {
    return send(port, "GET " + path, "", headers);
  }

  static Raw send(int port, String methodAndPath, String body, String... headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(90_000); // No test depends on how fast the machine is.
      String head =
          methodAndPath
              + " HTTP/1.1\r\n"
              + String.join("\r\n", headers)
              + "\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n";
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
      String text = answer(socket.getInputStream());
      return new Raw(Integer.parseInt(text.split(" ", 3)[1]), text);
    }
  }

  /** The next answer on a connection, with its body. */
  static String answer(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("connection closed after: " + head);
      }
      head.append((char) next);
    }
    int at = head.indexOf("content-length: ") + "content-length: ".length();
    int length = Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
