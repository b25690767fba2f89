package io.rollscope.store;

import io.rollscope.otlp.Signal;
import io.rollscope.store.journal.Source;
import java.nio.ByteBuffer;
import java.util.Map;

/** The bytes before the request in a journal frame: its signal, and when it came in. */
final class FrameHead {
  private static final Signal[] SIGNALS = Signal.values();

  private FrameHead() {}

  static void write(byte[] frame, Signal signal, long receivedNs) {
    ByteBuffer.wrap(frame).put((byte) signal.ordinal()).putLong(receivedNs);
  }

  static Signal signal(byte[] frame) {
    return SIGNALS[frame[0]];
  }

  static long receivedNs(byte[] frame) {
    return ByteBuffer.wrap(frame).getLong(1);
  }

  /** Keeps the offset of a tailed file, if it is one. */
  static void remember(Source source, Map<String, Long> tailedOffsets) {
    if (source instanceof Source.TailedFile file) {
      tailedOffsets.merge(file.fileId(), file.endOffset(), Math::max);
    }
  }
}
