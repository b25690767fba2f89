package io.rollscope.otlp.record;

import io.rollscope.otlp.wire.KeyValue;
import io.rollscope.otlp.wire.MalformedException;
import io.rollscope.otlp.wire.ProtoCursor;
import io.rollscope.otlp.wire.TextBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the events and the links of a span as JSON lists, for attributes {@code otel.events} and
 * {@code otel.links}. What does not fit is left out from some element on; the last element says how
 * many are missing, including those that the sender dropped.
 */
final class EventsText {
  private static final byte[] EVENTS_KEY = "otel.events".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LINKS_KEY = "otel.links".getBytes(StandardCharsets.US_ASCII);
  private static final int TIME = ProtoCursor.tagOf(1, ProtoCursor.FIXED64);
  private static final int NAME = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int EVENT_ATTRIBUTE = ProtoCursor.tagOf(3, ProtoCursor.BYTES);
  private static final int EVENT_DROPPED = ProtoCursor.tagOf(4, ProtoCursor.VARINT);
  private static final int TRACE_ID = ProtoCursor.tagOf(1, ProtoCursor.BYTES);
  private static final int SPAN_ID = ProtoCursor.tagOf(2, ProtoCursor.BYTES);
  private static final int TRACE_STATE = ProtoCursor.tagOf(3, ProtoCursor.BYTES);
  private static final int LINK_ATTRIBUTE = ProtoCursor.tagOf(4, ProtoCursor.BYTES);
  private static final int LINK_DROPPED = ProtoCursor.tagOf(5, ProtoCursor.VARINT);

  /** Room for the element that says what is missing. */
  private static final int END = 40;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final TextBuffer text = new TextBuffer(Attributes.MAX_VALUE_BYTES);
  private final ValueText values;
  private final KeyValue entry = new KeyValue();
  private boolean first;

  EventsText(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.values = new ValueText(bytes, text);
  }

  /** Shows both, as far as there are any. Returns how many elements did not fit. */
  long show(AttributeVisitor visitor) throws MalformedException {
    return show(visitor, EVENTS_KEY, Attributes.EVENT, Attributes.DROPPED_EVENTS)
        + show(visitor, LINKS_KEY, Attributes.LINK, Attributes.DROPPED_LINKS);
  }

  private long show(AttributeVisitor visitor, byte[] key, int wanted, int dropped)
      throws MalformedException {
    ProtoCursor c = new ProtoCursor(bytes, from, to);
    text.clear();
    text.put('[');
    first = true;
    long cut = 0;
    long missing = 0;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == wanted && cut == 0) {
        int mark = text.length();
        int outer = c.enter();
        writeElement(c, wanted == Attributes.EVENT);
        c.leave(outer);
        if (text.total() > Attributes.MAX_VALUE_BYTES - END) {
          text.cutTo(mark);
          cut++;
        }
      } else if (tag == wanted) {
        cut++;
        c.skip(tag);
      } else if (tag == dropped) {
        missing += c.varint() & 0xffff_ffffL;
      } else {
        c.skip(tag);
      }
    }
    missing += cut;
    if (missing > 0) {
      text.put(text.length() == 1 ? "{\"missing\":" : ",{\"missing\":");
      text.put(Long.toString(missing));
      text.put('}');
    }
    if (text.length() > 1) {
      text.put(']');
      visitor.attribute(key, 0, key.length, text.bytes(), 0, text.length());
    }
    return cut;
  }

  private void writeElement(ProtoCursor c, boolean event) throws MalformedException {
    text.put(text.length() == 1 ? "{" : ",{");
    first = true;
    boolean inAttributes = false;
    long dropped = 0;
    for (int tag = c.tag(); tag != 0; tag = c.tag()) {
      if (tag == (event ? EVENT_ATTRIBUTE : LINK_ATTRIBUTE)) {
        if (inAttributes) {
          text.put(',');
        } else {
          name("attributes");
          text.put('{');
          inAttributes = true;
        }
        entry.readNext(c);
        values.putQuoted(entry.keyFrom(), entry.keyTo());
        text.put(':');
        values.writeJson(entry.value());
        continue;
      }
      if (inAttributes) {
        text.put('}');
        inAttributes = false;
      }
      if (tag == (event ? EVENT_DROPPED : LINK_DROPPED)) {
        dropped = c.varint() & 0xffff_ffffL;
      } else if (!(event ? writeEventField(c, tag) : writeLinkField(c, tag))) {
        c.skip(tag);
      }
    }
    text.put(inAttributes ? "}" : "");
    if (dropped > 0) {
      name("dropped_attributes");
      text.put(Long.toString(dropped));
    }
    text.put('}');
  }

  private boolean writeEventField(ProtoCursor c, int tag) throws MalformedException {
    if (tag == TIME) {
      name("time_ns");
      text.put('"');
      text.put(Long.toUnsignedString(c.fixed64()));
      text.put('"');
      return true;
    }
    return tag == NAME && writeText(c, "name");
  }

  private boolean writeLinkField(ProtoCursor c, int tag) throws MalformedException {
    if (tag == TRACE_ID || tag == SPAN_ID) {
      name(tag == TRACE_ID ? "trace_id" : "span_id");
      int length = c.length();
      text.put('"');
      for (int i = c.at(); i < c.at() + length; i++) {
        text.put(Character.forDigit(bytes[i] >> 4 & 15, 16));
        text.put(Character.forDigit(bytes[i] & 15, 16));
      }
      text.put('"');
      c.pass(length);
      return true;
    }
    return tag == TRACE_STATE && writeText(c, "trace_state");
  }

  private boolean writeText(ProtoCursor c, String field) throws MalformedException {
    name(field);
    int length = c.length();
    values.putQuoted(c.at(), c.at() + length);
    c.pass(length);
    return true;
  }

  private void name(String field) {
    text.put(first ? "\"" : ",\"");
    first = false;
    text.put(field);
    text.put("\":");
  }
}
