package io.rollscope.server.tail;

import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.Request;

/** See {@link io.rollscope.otlp.RequestDecoder#decode}. */
@FunctionalInterface
interface Decoding {
  Request decode(Signal signal, byte[] protobuf, int from, long receivedNs)
      throws BadRequestException;
}
