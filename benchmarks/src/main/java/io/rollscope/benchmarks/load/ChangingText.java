package io.rollscope.benchmarks.load;

import java.nio.ByteBuffer;

/** Changing attributes where they are text, as in JSON and in Zipkin's tags. */
final class ChangingText {
  private static final String FRACTION = "0.";

  private ChangingText() {}

  /** Something of the right width. */
  static String of(Slot slot) {
    return switch (slot) {
      case FIRST_TOKEN -> FRACTION + "100000";
      case REQUEST -> "0".repeat(32);
      default -> Integer.toString(SpanValues.FOUR_DIGITS);
    };
  }

  static void fill(ByteBuffer body, int[] slots, int first, SpanValues values) {
    Patch.decimal(body, slots[first + Slot.STEP.ordinal()], 4, values.step);
    Patch.decimal(body, slots[first + Slot.INPUT_TOKENS.ordinal()], 4, values.inputTokens);
    Patch.decimal(body, slots[first + Slot.OUTPUT_TOKENS.ordinal()], 4, values.outputTokens);
    int fraction = slots[first + Slot.FIRST_TOKEN.ordinal()] + FRACTION.length();
    Patch.decimal(body, fraction, 6, values.firstToken);
    int request = slots[first + Slot.REQUEST.ordinal()];
    Patch.hex(body, request, values.requestHigh);
    Patch.hex(body, request + 16, values.requestLow);
  }
}
