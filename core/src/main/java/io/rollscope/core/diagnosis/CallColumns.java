package io.rollscope.core.diagnosis;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.table.ByteColumn;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;

/** Spans that are work, by column. */
final class CallColumns {
  static final int NONE = -1;

  private static final Outcome[] OUTCOMES = Outcome.values();

  private final IntColumn session = new IntColumn(NONE);
  private final IntColumn name = new IntColumn(NONE);
  private final IntColumn parent = new IntColumn(NONE);
  private final IntColumn row = new IntColumn(NONE);
  private final LongColumn start = new LongColumn(0);
  private final LongColumn end = new LongColumn(0);
  private final LongColumn own = new LongColumn(0);
  private final ByteColumn outcome = new ByteColumn((byte) 0);
  private int count;

  int count() {
    return count;
  }

  /** Adds a call that is in no other yet. */
  int add(int ofSession, int nameId, int ofRow, long from, long to, long ownNs, Outcome ended) {
    int i = count++;
    session.set(i, ofSession);
    name.set(i, nameId);
    row.set(i, ofRow);
    start.set(i, from);
    end.set(i, to);
    own.set(i, ownNs);
    outcome.set(i, (byte) ended.ordinal());
    return i;
  }

  void addAll(CallColumns other) {
    int shift = count;
    for (int i = 0; i < other.count; i++) {
      add(
          other.session(i),
          other.name(i),
          other.row(i),
          other.start(i),
          other.end(i),
          other.own(i),
          other.outcome(i));
      if (other.parent(i) >= 0) {
        parent(shift + i, shift + other.parent(i));
      }
    }
  }

  /** Says which call another one is in. */
  void parent(int i, int around) {
    parent.set(i, around);
  }

  int session(int i) {
    return session.get(i);
  }

  int name(int i) {
    return name.get(i);
  }

  int parent(int i) {
    return parent.get(i);
  }

  int row(int i) {
    return row.get(i);
  }

  long start(int i) {
    return start.get(i);
  }

  long end(int i) {
    return end.get(i);
  }

  long own(int i) {
    return own.get(i);
  }

  Outcome outcome(int i) {
    return OUTCOMES[outcome.get(i)];
  }
}
