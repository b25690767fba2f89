package io.rollscope.otlp.wire;

/**
 * One attribute value, read where it lies. Of several fields the last counts, as protobuf has it.
 */
public final class AnyValue {
  /** Deeper lists and maps are refused. */
  public static final int MAX_DEPTH = 32;

  /** Tags of the fields. */
  public static final int STRING = 1 << 3 | ProtoCursor.BYTES;

  public static final int BOOL = 2 << 3 | ProtoCursor.VARINT;
  public static final int INT = 3 << 3 | ProtoCursor.VARINT;
  public static final int DOUBLE = 4 << 3 | ProtoCursor.FIXED64;
  public static final int LIST = 5 << 3 | ProtoCursor.BYTES;
  public static final int MAP = 6 << 3 | ProtoCursor.BYTES;
  public static final int BINARY = 7 << 3 | ProtoCursor.BYTES;

  /** Tags in {@code KeyValue}. */
  public static final int KEY = 1 << 3 | ProtoCursor.BYTES;

  public static final int VALUE = 2 << 3 | ProtoCursor.BYTES;

  /** Tag of the elements in {@code ArrayValue} and {@code KeyValueList}. */
  public static final int ELEMENT = 1 << 3 | ProtoCursor.BYTES;

  private int tag;
  private long bits;
  private int from;
  private int to;

  /** Which of the above; 0 for a value that is not set. */
  public int tag() {
    return tag;
  }

  /** Of {@link #BOOL}, {@link #INT} and {@link #DOUBLE} (raw bits). */
  public long bits() {
    return bits;
  }

  /** Where the contents begin, of the others. */
  public int from() {
    return from;
  }

  /** Where they end. */
  public int to() {
    return to;
  }

  public void clear() {
    tag = 0;
    bits = 0;
    from = 0;
    to = 0;
  }

  /** Reads the value that the cursor has entered, and makes sure that all inside is well-formed. */
  public void read(ProtoCursor c) throws MalformedException {
    read(c, 0);
  }

  /** Reads a value of one field, a string or a number, of at least two bytes; else false. */
  boolean readPlain(byte[] b, int at, int end) {
    int only = b[at];
    if (only == STRING) {
      from = at + 2;
      to = end;
      tag = only;
      return b[at + 1] == end - from;
    }
    if (only == DOUBLE) {
      tag = only;
      bits = end - at == 9 ? ProtoCursor.fixed64At(b, at + 1) : 0;
      return end - at == 9;
    }
    if ((only != INT && only != BOOL) || b[end - 1] < 0 || end - at > 11) {
      return false;
    }
    long number = 0;
    for (int i = end - 1; i > at; i--) {
      if (b[i] < 0 == (i == end - 1)) {
        return false;
      }
      number = number << 7 | b[i] & 0x7f;
    }
    bits = number;
    tag = only;
    return true;
  }

  private void read(ProtoCursor c, int depth) throws MalformedException {
    clear();
    for (int next = c.tag(); next != 0; next = c.tag()) {
      switch (next) {
        case STRING, BINARY -> {
          int length = c.length();
          from = c.at();
          to = from + length;
          tag = next;
          c.pass(length);
        }
        case BOOL, INT -> {
          bits = c.varint();
          tag = next;
        }
        case DOUBLE -> {
          bits = c.fixed64();
          tag = next;
        }
        case LIST, MAP -> {
          int outer = c.enter();
          int begin = c.at();
          checkElements(c, next, depth + 1);
          from = begin;
          to = c.end();
          tag = next;
          c.leave(outer);
        }
        default -> c.skip(next);
      }
    }
  }

  private void checkElements(ProtoCursor c, int container, int depth) throws MalformedException {
    if (depth > MAX_DEPTH) {
      throw c.malformed(c.at(), "value in " + depth + " values", "at most " + MAX_DEPTH);
    }
    for (int next = c.tag(); next != 0; next = c.tag()) {
      if (next != ELEMENT) {
        c.skip(next);
        continue;
      }
      int outer = c.enter();
      if (container == LIST) {
        read(c, depth);
      } else {
        checkKeyValue(c, depth);
      }
      c.leave(outer);
    }
  }

  private void checkKeyValue(ProtoCursor c, int depth) throws MalformedException {
    for (int next = c.tag(); next != 0; next = c.tag()) {
      if (next == VALUE) {
        int outer = c.enter();
        read(c, depth);
        c.leave(outer);
      } else {
        c.skip(next);
      }
    }
  }
}
