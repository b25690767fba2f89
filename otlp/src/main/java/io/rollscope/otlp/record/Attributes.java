package io.rollscope.otlp.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.otlp.wire.AnyValue;
import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import io.rollscope.otlp.wire.ProtoWriter;
import io.rollscope.otlp.wire.TextBuffer;
import io.rollscope.otlp.wire.Utf8;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Attributes as they were sent, decoded when somebody looks: they lie in the request's own bytes.
 *
 * <p>Values become text: numbers in plain decimal, true and false, bytes in base64, lists and maps
 * as JSON, a value that is not set as nothing. Of a key that occurs twice the first counts. Wrong
 * UTF-8 is replaced character by character. Text longer than {@link #MAX_VALUE_BYTES} is cut and
 * ends with its length; attributes beyond {@link #MAX_COUNT} are left out, and a span says how many
 * are missing, those that its sender dropped included.
 */
public final class Attributes {
  /** The longest key or value that is shown in full. */
  public static final int MAX_VALUE_BYTES = 64 << 10;

  /** The most attributes that are shown. */
  public static final int MAX_COUNT = 1_000;

  /** Entries that are looked at, with those whose key was there before. */
  private static final int MAX_LOOKED_AT = 10 * MAX_COUNT;

  /** Fields of a span that are shown like attributes. */
  static final int EVENT = ProtoCursor.tagOf(11, ProtoCursor.BYTES);

  static final int DROPPED_ATTRIBUTES = ProtoCursor.tagOf(10, ProtoCursor.VARINT);
  static final int DROPPED_EVENTS = ProtoCursor.tagOf(12, ProtoCursor.VARINT);
  static final int LINK = ProtoCursor.tagOf(13, ProtoCursor.BYTES);
  static final int DROPPED_LINKS = ProtoCursor.tagOf(14, ProtoCursor.VARINT);

  /** Field of the attributes of a span, in which other fields mean something, too. */
  private static final int OF_SPAN = 9;

  /** Says of a span how many attributes are missing, by the name that OpenTelemetry has for it. */
  private static final byte[] DROPPED_KEY = "otel.dropped_attributes_count".getBytes(US_ASCII);

  public static final Attributes NONE = new Attributes(new byte[0], 0, 0, 0);

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int field;
  private final boolean events;

  /**
   * @param bytes a protobuf message, or part of one, cut at field boundaries
   * @param field number of the repeated {@code KeyValue} field in it; other fields are passed over
   */
  public Attributes(byte[] bytes, int from, int to, int field) {
    this(bytes, from, to, field, false);
  }

  /**
   * @param events whether it is part of a span with events or links: they are shown as attributes
   *     {@code otel.events} and {@code otel.links}, behind the others
   */
  public Attributes(byte[] bytes, int from, int to, int field, boolean events) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.field = field;
    this.events = events;
  }

  /** Compares them as they were sent. */
  int compareBytes(Attributes other) {
    return Arrays.compareUnsigned(bytes, from, to, other.bytes, other.from, other.to);
  }

  public byte[] bytes() {
    return bytes;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  public int field() {
    return field;
  }

  public boolean isEmpty() {
    return from == to;
  }

  /** Visits keys and values as text, in order. */
  public void forEach(BiConsumer<String, String> visitor) {
    visit(
        (key, keyFrom, keyTo, value, valueFrom, valueTo) ->
            visitor.accept(
                new String(key, keyFrom, keyTo - keyFrom, UTF_8),
                new String(value, valueFrom, valueTo - valueFrom, UTF_8)));
  }

  /** The value of a key as text, or null. */
  public String get(String key) {
    String[] found = new String[1];
    forEach((each, value) -> found[0] = each.equals(key) ? value : found[0]);
    return found[0];
  }

  /**
   * Visits the same as {@link #forEach}, as bytes: for writers of columns.
   *
   * @return how many events and links were left out because they are too long
   * @throws IllegalStateException if these bytes never went through the decoder and are malformed
   */
  public long visit(AttributeVisitor visitor) {
    if (isEmpty()) {
      return 0;
    }
    try {
      Walk walk = new Walk(visitor);
      walk.run();
      if (field == OF_SPAN) {
        walk.showDropped();
      }
      return events ? walk.showEvents() : 0;
    } catch (MalformedException e) {
      throw unchecked(e);
    }
  }

  /** What {@link #visit} does not show of them, apart from events and links. */
  public Reduction reduction() {
    try {
      Walk walk = new Walk((key, keyFrom, keyTo, value, valueFrom, valueTo) -> {});
      walk.run();
      return new Reduction(walk.countRest(), walk.cut);
    } catch (MalformedException e) {
      throw unchecked(e);
    }
  }

  /** The same, in an array of its own: for spans that stay long after their request. */
  public Attributes detached() {
    return from == 0 && to == bytes.length
        ? this
        : new Attributes(Arrays.copyOfRange(bytes, from, to), 0, to - from, field, events);
  }

  /** Whether the same attributes were sent in the same order; in which message does not matter. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Attributes that
        && (this == that || Arrays.equals(entries(), that.entries()));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(entries());
  }

  /** Adds the attributes to a message as fields of that number, as they were sent. */
  public void writeTo(ProtoWriter out, int target) {
    ProtoCursor c = new ProtoCursor(bytes, from, to);
    int wanted = ProtoCursor.tagOf(field, ProtoCursor.BYTES);
    try {
      for (int tag = c.tag(); tag != 0; tag = c.tag()) {
        if (tag == wanted) {
          int length = c.length();
          out.bytes(target, bytes, c.at(), c.at() + length);
          c.pass(length);
        } else {
          c.skip(tag);
        }
      }
    } catch (MalformedException e) {
      throw unchecked(e);
    }
  }

  /** Adds the events and links to a span, as they were sent, and what is missing. */
  public void writeEventsTo(ProtoWriter out) {
    if (field != OF_SPAN) {
      return;
    }
    ProtoCursor c = new ProtoCursor(bytes, from, to);
    try {
      for (int tag = c.tag(); tag != 0; tag = c.tag()) {
        if (events && (tag == EVENT || tag == LINK)) {
          int length = c.length();
          out.bytes(tag >>> 3, bytes, c.at(), c.at() + length);
          c.pass(length);
        } else if (tag == DROPPED_ATTRIBUTES || tag == DROPPED_EVENTS || tag == DROPPED_LINKS) {
          out.varint(tag >>> 3, c.varint());
        } else {
          c.skip(tag);
        }
      }
    } catch (MalformedException e) {
      throw unchecked(e);
    }
  }

  private byte[] entries() {
    ProtoWriter out = new ProtoWriter(to - from);
    writeTo(out, 1);
    writeEventsTo(out);
    return out.toBytes();
  }

  private static IllegalStateException unchecked(MalformedException e) {
    return new IllegalStateException("attributes: " + e.getMessage(), e);
  }

  private boolean isPlain(int textFrom, int textTo) {
    return textTo - textFrom <= MAX_VALUE_BYTES && Utf8.firstInvalid(bytes, textFrom, textTo) < 0;
  }

  private final class Walk {
    private final AttributeVisitor visitor;
    private final ProtoCursor c = new ProtoCursor(bytes, from, to);
    private final int wanted = ProtoCursor.tagOf(field, ProtoCursor.BYTES);
    private final SeenKeys seen = new SeenKeys(bytes);
    private final KeyValue entry = new KeyValue();
    private TextBuffer keyText;
    private TextBuffer valueText;
    private long cut;
    private long dropped;

    Walk(AttributeVisitor visitor) {
      this.visitor = visitor;
    }

    /** Shows as many as are shown. */
    void run() throws MalformedException {
      int count = 0;
      int lookedAt = 0;
      while (count < MAX_COUNT && lookedAt < MAX_LOOKED_AT && next()) {
        entry.readNext(c);
        lookedAt++;
        if (seen.add(entry.keyFrom(), entry.keyTo())) {
          count++;
          show();
        }
      }
    }

    /** Goes to the next entry; false if there is none. */
    private boolean next() throws MalformedException {
      for (int tag = c.tag(); tag != 0; tag = c.tag()) {
        if (tag == wanted) {
          return true;
        }
        if (tag == DROPPED_ATTRIBUTES && field == OF_SPAN) {
          dropped += c.varint() & 0xffff_ffffL;
        } else {
          c.skip(tag);
        }
      }
      return false;
    }

    /** What is behind those that were shown, and what the sender dropped. */
    void showDropped() throws MalformedException {
      long missing = countRest() + dropped;
      if (missing > 0 && !seen.contains(DROPPED_KEY)) {
        byte[] value = Long.toString(missing).getBytes(US_ASCII);
        visitor.attribute(DROPPED_KEY, 0, DROPPED_KEY.length, value, 0, value.length);
      }
    }

    /** How many entries are behind those that were shown. */
    long countRest() throws MalformedException {
      long count = 0;
      while (next()) {
        c.pass(c.length());
        count++;
      }
      return count;
    }

    /** Keys that the sender uses itself are left to it. */
    long showEvents() throws MalformedException {
      return new EventsText(bytes, from, to)
          .show(
              (key, keyFrom, keyTo, value, valueFrom, valueTo) -> {
                if (!seen.contains(key)) {
                  visitor.attribute(key, keyFrom, keyTo, value, valueFrom, valueTo);
                }
              });
    }

    private void show() throws MalformedException {
      byte[] key = bytes;
      int keyFrom = entry.keyFrom();
      int keyTo = entry.keyTo();
      if (!isPlain(keyFrom, keyTo)) {
        keyText = keyText == null ? new TextBuffer(MAX_VALUE_BYTES) : keyText;
        keyText.clear();
        new ValueText(bytes, keyText).putString(keyFrom, keyTo);
        cut += keyText.total() > MAX_VALUE_BYTES ? 1 : 0;
        keyText.finish();
        key = keyText.bytes();
        keyFrom = 0;
        keyTo = keyText.length();
      }
      AnyValue value = entry.value();
      if (value.tag() == AnyValue.STRING && isPlain(value.from(), value.to())) {
        visitor.attribute(key, keyFrom, keyTo, bytes, value.from(), value.to());
        return;
      }
      valueText = valueText == null ? new TextBuffer(MAX_VALUE_BYTES) : valueText;
      valueText.clear();
      new ValueText(bytes, valueText).write(value);
      cut += valueText.total() > MAX_VALUE_BYTES ? 1 : 0;
      valueText.finish();
      visitor.attribute(key, keyFrom, keyTo, valueText.bytes(), 0, valueText.length());
    }
  }
}
