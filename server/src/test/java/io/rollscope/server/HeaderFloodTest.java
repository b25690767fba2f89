package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose headers never end: frames that cost it nothing and us a little each. */
class HeaderFloodTest {
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int CONTINUATION = 9;
  private static final int FRAMES = 100_000;
  private static final byte[] GET_SLASH = {(byte) 0x82, (byte) 0x86, (byte) 0x84};

  @TempDir private static Path data;
  private static TestDoor door;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.open(data);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  @Test
  void emptyContinuationsEndTheConnection() throws Exception {
    int grpc = URI.create("http://" + door.door.otlpGrpc()).getPort();
    for (int port : List.of(door.door.url().getPort(), door.door.otlpHttp().getPort(), grpc)) {
      assertThat(isSentAway(port)).as("port %d", port).isTrue();
    }

    assertThat(door.get("/healthz").statusCode()).isEqualTo(200);
  }

  private static boolean isSentAway(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      flood.writeBytes(frame(SETTINGS, 0));
      flood.writeBytes(frame(HEADERS, 1, GET_SLASH));
      byte[] empty = frame(CONTINUATION, 1);
      for (int i = 0; i < FRAMES; i++) {
        flood.writeBytes(empty);
      }
      try {
        socket.getOutputStream().write(flood.toByteArray());
        return saysGoAway(new DataInputStream(socket.getInputStream()));
      } catch (SocketException | EOFException e) {
        return true;
      }
    }
  }

  /** Without END_HEADERS or any other flag. */
  private static byte[] frame(int type, int stream, byte... payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put(new byte[] {0, 0, (byte) payload.length, (byte) type, 0})
        .putInt(stream)
        .put(payload)
        .array();
  }

  private static boolean saysGoAway(DataInputStream in) throws IOException {
    int type;
    do {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      type = in.readUnsignedByte();
      in.readFully(new byte[5 + length]);
    } while (type != GOAWAY);
    return true;
  }
}
