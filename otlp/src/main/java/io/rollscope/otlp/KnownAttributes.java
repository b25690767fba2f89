package io.rollscope.otlp;

import io.rollscope.core.session.QueueTime;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Numbers;
import io.rollscope.otlp.wire.AnyValue;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;

/** The known attributes of the span, record or point being read. Used again for the next one. */
final class KnownAttributes implements KnownValues {
  private static final long EARNED =
      Key.REWARD.bit() | Key.INPUT_TOKENS.bit() | Key.OUTPUT_TOKENS.bit();
  private static final int KEYS = Key.values().length;

  private final SharedStrings strings;
  private final KeyValue entry = new KeyValue();
  private final int[] tags = new int[KEYS];
  private final long[] bits = new long[KEYS];
  private final int[] froms = new int[KEYS];
  private final int[] tos = new int[KEYS];
  private long present;
  private int tooLong;
  private int count;
  private int longest;

  KnownAttributes(SharedStrings strings) {
    this.strings = strings;
  }

  void clear() {
    present = 0;
    tooLong = 0;
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
    tooLong += isTooLong(key) ? 1 : 0;
    return key;
  }

  /**
   * Whether some of them may be left out or cut; texts are longer than their bytes, not ten times.
   */
  boolean mayBeReduced() {
    return count > Attributes.MAX_COUNT || longest > Attributes.MAX_VALUE_BYTES / 10;
  }

  private boolean isTooLong(Key key) {
    int at = key.ordinal();
    return key.isIdentity()
        && tags[at] == AnyValue.STRING
        && tos[at] - froms[at] > LongNames.MAX_BYTES;
  }

  /** A name, of which only the beginning is kept if it is too long. */
  String name(Key key) {
    int at = key.ordinal();
    return mayHave(key.bit()) && isTooLong(key)
        ? LongNames.cutName(strings.bytes(), froms[at], tos[at])
        : text(key);
  }

  /** How many names and ids among them are cut. */
  int tooLong() {
    return tooLong;
  }

  /** What a span says that it earned and used. */
  RewardAndTokens rewardAndTokens() {
    return mayHave(EARNED)
        ? RewardAndTokens.of(text(Key.REWARD), text(Key.INPUT_TOKENS), text(Key.OUTPUT_TOKENS))
        : RewardAndTokens.NONE;
  }

  /** How long a call says that it waited in the queue of its engine, or {@link Nanos#UNKNOWN}. */
  long queuedNs() {
    return mayHave(Key.QUEUE_TIME.bit()) ? QueueTime.ofText(text(Key.QUEUE_TIME)) : Nanos.UNKNOWN;
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
      case AnyValue.STRING ->
          isTooLong(key)
              ? LongNames.cutId(strings.bytes(), froms[at], tos[at])
              : strings.get(froms[at], tos[at]);
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
