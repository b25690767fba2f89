package io.rollscope.server.tail;

import io.rollscope.formats.folder.TraceFile;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;

/**
 * A request made of lines of one file.
 *
 * @param endOffset when this part is durable, everything in the file before this offset is; 0 if it
 *     only is a beginning
 * @param bytes {@link Incoming#HEAD} bytes of room, then the request as protobuf
 * @param items spans, log records or metrics
 */
record Part(TraceFile file, long endOffset, Signal signal, byte[] bytes, int items) {

  /** How many whole spans it tells. */
  int spans() {
    return signal == Signal.TRACES ? items : 0;
  }
}
