package io.rollscope.store.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * How the server and a process for users' SQL talk: frames of a kind (one byte), a length (four)
 * and so many bytes. A length beyond the limit ends the conversation.
 *
 * <p>The server sends {@link #START} once, then {@link #QUERY}, {@link #VIEWS} and {@link #SELECT}
 * for each query. The process answers {@link #READY} once, then for each query any number of {@link
 * #DATA} and one of {@link #END}, {@link #REFUSED}, {@link #TIMEOUT}, {@link #FAILED}.
 */
final class SqlFrames {
  /** Of the server: the limit in seconds, then the allowed folders, each after a NUL. */
  static final byte START = 'S';

  /** Of the server: the most bytes of the answer. */
  static final byte QUERY = 'Q';

  static final byte VIEWS = 'V';
  static final byte SELECT = 'T';

  /** Of the process: {@link #VERSION}. */
  static final byte READY = 'R';

  static final byte DATA = 'D';
  static final byte END = 'E';
  static final byte REFUSED = 'X';
  static final byte TIMEOUT = 'L';

  /** Of the process: the views cannot be made, which is not the user's fault. */
  static final byte FAILED = 'F';

  /** A server whose jars were replaced while it runs must not mistake the new ones' answers. */
  static final String VERSION = "rollscope sql 1";

  /** What a frame of the server may hold: a SELECT, or the names of all segments. */
  static final int MAX_REQUEST = 64 << 20;

  static final int MAX_ANSWER = 64 << 10;

  record Frame(byte kind, byte[] bytes) {
    String text() {
      return new String(bytes, UTF_8);
    }
  }

  private SqlFrames() {}

  static void write(DataOutputStream out, byte kind, byte[] bytes, int from, int length)
      throws IOException {
    out.writeByte(kind);
    out.writeInt(length);
    out.write(bytes, from, length);
  }

  static void write(DataOutputStream out, byte kind, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    write(out, kind, bytes, 0, bytes.length);
  }

  /**
   * The next frame.
   *
   * @throws IOException if it is longer than that, or not complete
   */
  static Frame read(DataInputStream in, int mostBytes) throws IOException {
    byte kind = in.readByte();
    int length = in.readInt();
    if (length < 0 || length > mostBytes) {
      throw new IOException("frame: " + length + " bytes (expected: at most " + mostBytes + ")");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("frame: " + bytes.length + " bytes (expected: " + length + ")");
    }
    return new Frame(kind, bytes);
  }

  /** Bytes written here become frames of an answer. */
  static final class Data extends OutputStream {
    private final DataOutputStream out;

    Data(DataOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      for (int done = 0; done < length; ) {
        int part = Math.min(MAX_ANSWER, length - done);
        SqlFrames.write(out, DATA, bytes, from + done, part);
        done += part;
      }
    }
  }
}
