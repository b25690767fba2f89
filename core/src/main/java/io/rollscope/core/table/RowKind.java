package io.rollscope.core.table;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;

/**
 * What a row of the table says, packed into one byte: its form (two bits), the outcome (three) and
 * the kind of span (three).
 */
public final class RowKind {
  /** A span began. */
  public static final int START = 0;

  /** The newest open span of that name ended. */
  public static final int END = 1;

  /** A whole span, or one that has not ended. */
  public static final int SPAN = 2;

  /** Something happened at an instant. */
  public static final int POINT = 3;

  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final Kind[] KINDS = Kind.values();

  private RowKind() {}

  public static byte of(int form, Outcome outcome, Kind kind) {
    return (byte) (form | outcome.ordinal() << 2 | kind.ordinal() << 5);
  }

  public static int form(byte packed) {
    return packed & 3;
  }

  public static Outcome outcome(byte packed) {
    return OUTCOMES[(packed >> 2) & 7];
  }

  public static Kind kind(byte packed) {
    return KINDS[(packed >> 5) & 7];
  }
}
