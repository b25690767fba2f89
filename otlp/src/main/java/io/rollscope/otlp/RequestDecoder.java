package io.rollscope.otlp;

import io.rollscope.otlp.record.Request;

/**
 * Decodes export requests (protobuf) into records. Hot: works on the bytes, and keeps them, because
 * attributes stay where they are. Thread-safe.
 */
public final class RequestDecoder {
  private RequestDecoder() {}

  /**
   * @param protobuf must not be changed afterwards
   * @param from where the message begins in it
   * @param receivedNs when it came in, in nanoseconds since the epoch; times more than a day after
   *     that are refused
   */
  public static Request decode(Signal signal, byte[] protobuf, int from, long receivedNs)
      throws BadRequestException {
    throw new UnsupportedOperationException("not yet");
  }
}
