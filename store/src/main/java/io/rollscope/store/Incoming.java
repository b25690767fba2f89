package io.rollscope.store;

import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;
import io.rollscope.store.journal.Source;

/**
 * A decoded request on its way into the store.
 *
 * @param source where it came from
 * @param receivedNs when, in nanoseconds since the epoch
 * @param bytes {@link #HEAD} bytes of room for the store, then the request as protobuf
 * @param request the same, decoded
 */
public record Incoming(
    Source source, Signal signal, long receivedNs, byte[] bytes, Request request) {

  /** Room at the beginning of {@code bytes}: the signal and the time go there. */
  public static final int HEAD = 9;
}
