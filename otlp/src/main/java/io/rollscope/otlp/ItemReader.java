package io.rollscope.otlp;

import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** Reads the items of one signal: spans, log records or metrics. */
interface ItemReader {
  /** Reads the item that the cursor has entered, up to its end. */
  void read(ProtoCursor c, Resource resource) throws MalformedException;
}
