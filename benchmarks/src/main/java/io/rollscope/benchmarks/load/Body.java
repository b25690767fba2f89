package io.rollscope.benchmarks.load;

import java.nio.ByteBuffer;

/** A batch ready to be filled in and sent, with the head of its request in front. */
final class Body {
  private final ByteBuffer bytes;
  private final int[] slots;

  Body(byte[] head, Draft draft) {
    bytes = ByteBuffer.allocateDirect(head.length + draft.bytes().length);
    bytes.put(head).put(draft.bytes()).flip();
    slots = draft.slots(head.length);
  }

  void fill(SpanFormat format, int span, SpanValues values) {
    format.fill(bytes, slots, span * Slot.COUNT, values);
  }

  /** The request from its beginning. */
  ByteBuffer bytes() {
    return bytes.rewind();
  }
}
