package io.rollscope.benchmarks.load;

import java.util.Arrays;

/** An encoded batch, and where in it the changing parts of each span are. */
final class Draft {
  private static final int ABSENT = -1;

  private final int[] slots;
  private byte[] bytes = {};

  Draft(int spans) {
    slots = new int[spans * Slot.COUNT];
    Arrays.fill(slots, ABSENT);
  }

  void mark(int span, Slot slot, int at) {
    slots[span * Slot.COUNT + slot.ordinal()] = at;
  }

  /** Takes a span's marks from another draft, whose bytes now begin at {@code from} in this one. */
  void mark(int span, Draft one, int from) {
    for (int i = 0; i < Slot.COUNT; i++) {
      int at = one.slots[i];
      slots[span * Slot.COUNT + i] = at == ABSENT ? ABSENT : at + from;
    }
  }

  void bytes(byte[] encoded) {
    bytes = encoded;
  }

  /** The same marks for a message that holds this one, so many bytes behind its beginning. */
  Draft moved(int move, byte[] encoded) {
    Draft draft = new Draft(spans());
    System.arraycopy(slots(move), 0, draft.slots, 0, slots.length);
    draft.bytes = encoded;
    return draft;
  }

  byte[] bytes() {
    return bytes;
  }

  int spans() {
    return slots.length / Slot.COUNT;
  }

  /** A copy of the marks, moved by so many bytes. */
  int[] slots(int move) {
    return Arrays.stream(slots).map(at -> at == ABSENT ? ABSENT : at + move).toArray();
  }
}
