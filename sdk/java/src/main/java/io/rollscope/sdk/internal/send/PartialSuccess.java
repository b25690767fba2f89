package io.rollscope.sdk.internal.send;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.sdk.Sent;
import java.net.ProtocolException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the two small protobuf messages a collector answers with; anything else says nothing. */
public final class PartialSuccess {
  private static final int PARTIAL_SUCCESS = 1;
  private static final int REJECTED = 1;
  private static final int MESSAGE = 2;
  private static final int MAX_TEXT = 4096;
  private static final Pattern JSON_REJECTED =
      Pattern.compile("\"rejected(?:Spans|LogRecords|DataPoints)\"\\s*:\\s*\"?(\\d{1,18})");

  private PartialSuccess() {}

  /**
   * Of an {@code Export…ServiceResponse}.
   *
   * @throws ProtocolException if it is none
   */
  public static Sent read(byte[] response) throws ProtocolException {
    Reader outer = new Reader(response, 0, response.length);
    Sent sent = Sent.all();
    while (outer.next()) {
      if (outer.field == PARTIAL_SUCCESS && outer.isBytes()) {
        sent = partly(new Reader(response, outer.from, outer.to));
      }
    }
    outer.expectWhole();
    return sent;
  }

  /** Likewise, of a collector that answers in JSON though it was not asked so. */
  public static Sent readJson(byte[] response) throws ProtocolException {
    String text = new String(response, UTF_8).strip();
    if (!text.startsWith("{") || !text.endsWith("}")) {
      throw new ProtocolException("no JSON object");
    }
    Matcher rejected = JSON_REJECTED.matcher(text);
    return rejected.find() ? Sent.partly(Long.parseLong(rejected.group(1)), text) : Sent.all();
  }

  private static Sent partly(Reader inner) throws ProtocolException {
    long rejected = 0;
    String message = "";
    while (inner.next()) {
      if (inner.field == REJECTED && !inner.isBytes()) {
        rejected = inner.number;
      } else if (inner.field == MESSAGE && inner.isBytes()) {
        message = inner.text();
      }
    }
    inner.expectWhole();
    if (rejected < 0) {
      throw new ProtocolException("a negative count");
    }
    return rejected == 0 && message.isEmpty() ? Sent.all() : Sent.partly(rejected, message);
  }

  /** Of a {@code google.rpc.Status}, or the text itself if it is none. */
  public static String statusMessage(byte[] answer) {
    Reader status = new Reader(answer, 0, answer.length);
    String message = "";
    while (status.next()) {
      if (status.field == MESSAGE && status.isBytes()) {
        message = status.text();
      }
    }
    boolean whole = !status.broken && !message.isEmpty();
    return whole
        ? message
        : new String(answer, 0, Math.min(answer.length, MAX_TEXT), UTF_8).strip();
  }

  /** Walks over the fields of a message. */
  private static final class Reader {
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int at;
    int field;
    long number;
    int from;
    int to;
    boolean broken;
    private int type;

    Reader(byte[] bytes, int from, int end) {
      this.bytes = bytes;
      this.at = from;
      this.end = end;
    }

    void expectWhole() throws ProtocolException {
      if (broken) {
        throw new ProtocolException("no message");
      }
    }

    boolean isBytes() {
      return type == BYTES;
    }

    String text() {
      return new String(bytes, from, to - from, UTF_8);
    }

    boolean next() {
      if (at >= end || broken) {
        return false;
      }
      long tag = varint();
      field = (int) (tag >>> 3);
      type = (int) tag & 7;
      long length =
          switch (type) {
            case 0 -> {
              number = varint();
              yield 0;
            }
            case FIXED64 -> 8;
            case BYTES -> varint();
            case FIXED32 -> 4;
            default -> -1;
          };
      broken |= field == 0 || length < 0 || length > end - at;
      if (broken) {
        return false;
      }
      from = at;
      to = at + (int) length;
      at = to;
      return true;
    }

    private long varint() {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        if (at >= end) {
          break;
        }
        byte b = bytes[at++];
        value |= (long) (b & 0x7F) << shift;
        if (b >= 0) {
          return value;
        }
      }
      broken = true;
      return 0;
    }
  }
}
