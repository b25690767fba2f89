package io.rollscope.otlp.wire;

/** One attribute, read where it lies. */
public final class KeyValue {
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
