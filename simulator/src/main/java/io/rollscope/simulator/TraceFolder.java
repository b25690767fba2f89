package io.rollscope.simulator;

import java.io.Closeable;
import java.io.IOException;

/** A folder of trace files that a simulated run is written to. */
public interface TraceFolder extends Sink, Closeable {

  /** Makes everything written visible to readers that follow the files. */
  void flush() throws IOException;
}
