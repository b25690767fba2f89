package io.rollscope.server;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A request over HTTP/1.1 that asks for HTTP/2 and gets its answer by it, on stream 1. */
final class H2cUpgrade {
  private static final int HEADERS = 1;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private H2cUpgrade() {}

  static CompletableFuture<ResponseHeaders> ask(int port, RequestHeaders request) {
    try {
      return CompletableFuture.completedFuture(answer(port, request));
    } catch (IOException | Http2Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ResponseHeaders answer(int port, RequestHeaders request)
      throws IOException, Http2Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
      StringBuilder head =
          new StringBuilder("GET ").append(request.path()).append(" HTTP/1.1\r\nHost: localhost");
      request.forEach(
          (name, value) -> {
            if (name.charAt(0) != ':') {
              head.append("\r\n").append(name).append(": ").append(value);
            }
          });
      head.append(
          "\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n");
      socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.US_ASCII));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      String switching = switching(in);
      if (!switching.startsWith("HTTP/1.1 101 ")) {
        throw new IOException("not upgraded: " + switching);
      }
      socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(SETTINGS);
      return headers(in);
    }
  }

  private static String switching(DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  private static ResponseHeaders headers(DataInputStream in) throws IOException, Http2Exception {
    while (true) {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      if (type != HEADERS) {
        continue;
      }
      if ((flags & (PADDED | PRIORITY)) != 0) {
        throw new IOException("padding or priority, which Armeria does not send");
      }
      Http2Headers decoded =
          new DefaultHttp2HeadersDecoder().decodeHeaders(stream, Unpooled.wrappedBuffer(payload));
      ResponseHeadersBuilder answer = ResponseHeaders.builder();
      decoded.forEach(entry -> answer.add(entry.getKey().toString(), entry.getValue().toString()));
      return answer.build();
    }
  }
}
