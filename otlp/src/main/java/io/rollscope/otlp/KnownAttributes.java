package io.rollscope.otlp;

import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Numbers;
import io.rollscope.otlp.wire.AnyValue;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** The known attributes of the span, record or point being read. Used again for the next one. */
final class KnownAttributes implements KnownValues {
  /** Names and ids longer than this are not taken for names and ids. */
  static final int MAX_IDENTITY_BYTES = 1_024;

  private static final int KEYS = Key.values().length;

  private final SharedStrings strings;
  private final KeyValue entry = new KeyValue();
  private final int[] tags = new int[KEYS];
  private final long[] bits = new long[KEYS];
  private final int[] froms = new int[KEYS];
  private final int[] tos = new int[KEYS];
  private long present;
  private boolean tooLong;
  private int count;
  private int longest;

  KnownAttributes(SharedStrings strings) {
    this.strings = strings;
  }

  void clear() {
    present = 0;
    tooLong = false;
    count = 0;
    longest = 0;
  }

  /**
   * Reads the attribute that follows; of a key that occurs twice the first counts.
   *
   * @return its key, or null for one that means nothing here
   */
  Key read(ProtoCursor c) throws MalformedException {
    int from = c.at();
    entry.readNext(c);
    count++;
    longest = Math.max(longest, c.at() - from);
    Key key = KeyTable.find(c.bytes(), entry.keyFrom(), entry.keyTo());
    if (key == null || (present & key.bit()) != 0) {
      return key;
    }
    AnyValue value = entry.value();
    int at = key.ordinal();
    present |= key.bit();
    tags[at] = value.tag();
    bits[at] = value.bits();
    froms[at] = value.from();
    tos[at] = value.to();
    tooLong |=
        key.isIdentity()
            && value.tag() == AnyValue.STRING
            && value.to() - value.from() > MAX_IDENTITY_BYTES;
    return key;
  }

  /**
   * Whether some of them may be left out or cut; texts are longer than their bytes, not ten times.
   */
  boolean mayBeReduced() {
    return count > Attributes.MAX_COUNT || longest > Attributes.MAX_VALUE_BYTES / 10;
  }

  /** Whether a name or an id among them is too long to be one. */
  boolean hasTooLong() {
    return tooLong;
  }

  @Override
  public boolean mayHave(long keys) {
    return (present & keys) != 0;
  }

  @Override
  public String text(Key key) {
    if ((present & key.bit()) == 0) {
      return null;
    }
    int at = key.ordinal();
    return switch (tags[at]) {
      case AnyValue.STRING -> strings.get(froms[at], tos[at]);
      case AnyValue.INT -> Long.toString(bits[at]);
      case AnyValue.DOUBLE -> Numbers.text(Double.longBitsToDouble(bits[at]));
      case AnyValue.BOOL -> bits[at] == 0 ? "false" : "true";
      default -> null;
    };
  }

  @Override
  public Long integer(Key key) {
    if ((present & key.bit()) == 0) {
      return null;
    }
    int at = key.ordinal();
    return tags[at] == AnyValue.INT ? Long.valueOf(bits[at]) : Identity.wholeNumber(text(key));
  }
}
