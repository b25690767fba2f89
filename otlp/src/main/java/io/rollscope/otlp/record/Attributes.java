package io.rollscope.otlp.record;

import java.util.function.BiConsumer;

/**
 * Attributes as they were sent, decoded when somebody looks: they lie in the request's own bytes.
 *
 * <p>Values become text: numbers in plain decimal, true and false, bytes in base64, lists and maps
 * as JSON. Of a key that occurs twice the first counts.
 */
public final class Attributes {
  public static final Attributes NONE = new Attributes(new byte[0], 0, 0, 0);

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int field;

  /**
   * @param bytes a protobuf message, or part of one, cut at field boundaries
   * @param field number of the repeated {@code KeyValue} field in it; other fields are passed over
   */
  public Attributes(byte[] bytes, int from, int to, int field) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.field = field;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  public int field() {
    return field;
  }

  public boolean isEmpty() {
    return from == to;
  }

  /** Visits keys and values as text, in order. */
  public void forEach(BiConsumer<String, String> visitor) {
    throw new UnsupportedOperationException("not yet");
  }

  /** The same, in an array of its own: for spans that stay long after their request. */
  public Attributes detached() {
    return from == 0 && to == bytes.length
        ? this
        : new Attributes(java.util.Arrays.copyOfRange(bytes, from, to), 0, to - from, field);
  }
}
