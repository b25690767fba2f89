package io.rollscope.otlp.wire;

/** One attribute, read where it lies. */
public final class KeyValue {
  /** Length, tag and length of an empty key, tag and length of the value, its tag and a byte. */
  private static final int SHORTEST = 7;

  private final AnyValue value = new AnyValue();
  private int keyFrom;
  private int keyTo;

  public int keyFrom() {
    return keyFrom;
  }

  public int keyTo() {
    return keyTo;
  }

  public AnyValue value() {
    return value;
  }

  /** Reads the attribute that follows with its length, and goes behind it. */
  public void readNext(ProtoCursor c) throws MalformedException {
    if (!readPlain(c)) {
      int outer = c.enter();
      read(c);
      c.leave(outer);
    }
  }

  /**
   * Reads what nearly all attributes are: a key, then a string or a number, nothing else, all of it
   * shorter than 128 bytes. False, and nothing read, if it is anything else.
   */
  private boolean readPlain(ProtoCursor c) {
    byte[] b = c.bytes();
    int at = c.at();
    if (c.end() - at < SHORTEST || b[at] < SHORTEST - 1 || b[at + 1] != AnyValue.KEY) {
      return false;
    }
    int end = at + 1 + b[at];
    int from = at + 3;
    int to = from + b[at + 2];
    // Behind the key: tag and length of the value, its own tag and at least a byte.
    boolean plain =
        end <= c.end()
            && to >= from
            && end - to >= 4
            && b[to] == AnyValue.VALUE
            && to + 2 + b[to + 1] == end
            && value.readPlain(b, to + 2, end);
    if (plain) {
      keyFrom = from;
      keyTo = to;
      c.pass(end - at);
    }
    return plain;
  }

  /** Reads the attribute that the cursor has entered. */
  public void read(ProtoCursor c) throws MalformedException {
    keyFrom = 0;
    keyTo = 0;
    value.clear();
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == AnyValue.KEY) {
        int length = c.length();
        keyFrom = c.at();
        keyTo = keyFrom + length;
        c.pass(length);
      } else if (tag == AnyValue.VALUE) {
        int outer = c.enter();
        value.read(c);
        c.leave(outer);
      } else {
        c.skip(tag);
      }
    }
  }
}
